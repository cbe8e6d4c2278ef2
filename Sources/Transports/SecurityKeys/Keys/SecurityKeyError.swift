package import CTAP

/// The reason for a failed operation of a security key.
package enum SecurityKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    case refused(CTAPStatus)
    /// libfido2 refused the operation, or the answer of the key, which has the status OK.
    case refusedByLibrary(CTAPStatus)
    /// No usable answer arrived.
    case device(CTAPDeviceError)
    case library(String)
    /// The key, or the connection to it, does not support the operation.
    case unsupported(String)

    package var description: String {
        switch self {
        case .refused(let status): "the key refused: \(status)"
        case .refusedByLibrary(let status):
            Self.formStatuses.contains(status)
                ? "libfido2 refuses the key's answer, which has the status OK: \(status); `touchstone decode` shows an answer's members"
                : "libfido2 refuses the operation, which the key did not refuse: \(status)"
        case .device(let error): error.description
        case .library(let detail): "libfido2: \(detail)"
        case .unsupported(let detail): detail
        }
    }

    /// The status of a refusal.
    package var status: CTAPStatus? {
        switch self {
        case .refused(let status), .refusedByLibrary(let status): status
        case .device, .library, .unsupported: nil
        }
    }

    /// The statuses that libfido2 returns for an answer that it cannot read.
    private static let formStatuses: Set<CTAPStatus> = [
        .invalidLength, .cborUnexpectedType, .invalidCBOR, .missingParameter, .invalidParameter, .limitExceeded,
    ]

    init(_ failure: AuthenticatorClient.Failure) {
        switch failure {
        case .refused(_, let status): self = .refused(status)
        case .device(let error): self = .device(error)
        case .invalidResponse: self = .device(.protocolViolation(failure.description))
        }
    }
}
