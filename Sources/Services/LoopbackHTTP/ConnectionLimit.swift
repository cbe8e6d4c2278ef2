package import Hummingbird
package import HummingbirdCore
package import Logging
internal import Machine

/// Stops accepting connections while as many are open as the process can afford, and says so.
///
/// Clients that keep connections open would otherwise take the descriptors that files and databases need.
package struct ConnectionLimit: AvailableConnectionsDelegate {
    /// More connections than a test bench has clients.
    private static let usual = 4096

    private let most: Int
    private let logger: Logger
    private var count = 0
    /// Whether the limit was reached since half of the connections were free.
    private var hasSaidSo = false

    init(logger: Logger) {
        most = max(8, min(Self.usual, Limits.descriptors / 2))
        self.logger = logger
    }

    package mutating func connectionOpened() {
        count += 1
        guard !isAcceptingNewConnections(), !hasSaidSo else { return }
        hasSaidSo = true
        logger.warning("\(count) connections are open, the most that this process can afford; further ones wait")
    }

    package mutating func connectionClosed() {
        count -= 1
        if count < most / 2 { hasSaidSo = false }
    }

    package func isAcceptingNewConnections() -> Bool { count < most }
}

extension ApplicationConfiguration {
    package static func loopback(_ address: BindAddress, logger: Logger) -> ApplicationConfiguration {
        ApplicationConfiguration(address: address, availableConnectionsDelegate: ConnectionLimit(logger: logger))
    }
}
