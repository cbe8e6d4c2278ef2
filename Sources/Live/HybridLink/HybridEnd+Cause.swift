package import CTAPHybrid
package import Causes

extension HybridEnd {
    /// The cause of the failure at the computer that showed the QR code.
    package var cause: Cause {
        switch self {
        case .finished, .shutdown, .tunnelClosed, .timedOut, .cancelled: .connectionLost
        case .refused(.tunnel), .refused(.noRoutingID), .refused(.unassignedDomain): .tunnelUnavailable
        case .refused: .connectionInvalid
        }
    }
}

extension QRError {
    package var cause: Cause {
        switch self {
        case .expired, .fromTheFuture: .codeExpired
        default: .codeInvalid
        }
    }
}
