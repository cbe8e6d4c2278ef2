internal import Synchronization

/// The origins responses and requests may come from; the computed one is known only once the port is bound.
final class AcceptedOrigins: Sendable {
    private let own: Mutex<[String]>
    private let related: [String]

    init(own: [String]?, related: [String]) {
        self.own = Mutex(own ?? [])
        self.related = related
        isComputed = own == nil
    }

    /// Whether the server's own origin follows from its port.
    let isComputed: Bool

    var all: [String] { own.withLock { $0 } + related }

    func set(_ origins: [String]) { own.withLock { $0 = origins } }
}
