import CTAP
import CTAPHID

/// An exchange of a ``CTAPHIDConnection``, waiting for its turn or for its answer.
struct CTAPHIDExchange: Sendable {
    /// Identifies an exchange.
    final class ID: Sendable {}

    enum Kind: Sendable {
        case open
        case request(CTAPHIDCommand, [UInt8])
        case powerCycle
    }

    let id: ID
    let kind: Kind
    let onKeepalive: @Sendable (KeepaliveStatus) -> Void
    let finish: @Sendable (Result<[UInt8], CTAPDeviceError>) -> Void
    var isCancelled = false

    init(
        id: ID, kind: Kind, onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void,
        finish: @escaping @Sendable (Result<[UInt8], CTAPDeviceError>) -> Void
    ) {
        self.id = id
        self.kind = kind
        self.onKeepalive = onKeepalive
        self.finish = finish
    }
}
