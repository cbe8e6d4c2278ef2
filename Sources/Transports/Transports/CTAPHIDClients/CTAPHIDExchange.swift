import CTAP
import CTAPHID

/// An exchange of a ``CTAPHIDConnection``, waiting for its turn or for its answer.
struct CTAPHIDExchange: Sendable {
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
}
