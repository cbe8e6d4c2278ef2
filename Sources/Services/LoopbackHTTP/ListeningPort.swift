internal import Synchronization

/// The port of a server, once it listens.
package final class ListeningPort: Sendable {
    private let stored = Mutex<Int?>(nil)

    package var number: Int? { stored.withLock { $0 } }

    package init() {}

    package func set(_ port: Int) { stored.withLock { $0 = port } }
}
