package import CTAP

/// The reason for a failed operation of a security key.
package enum SecurityKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    case refused(CTAPStatus)
    /// No usable answer arrived.
    case device(CTAPDeviceError)
    case library(String)
    /// The key, or the connection to it, does not support the operation.
    case unsupported(String)

    package var description: String {
        switch self {
        case .refused(let status): "the key refused: \(status)"
        case .device(let error): error.description
        case .library(let detail): "libfido2: \(detail)"
        case .unsupported(let detail): detail
        }
    }

    package var status: CTAPStatus? { if case .refused(let status) = self { status } else { nil } }

    init(_ failure: AuthenticatorClient.Failure) {
        switch failure {
        case .refused(_, let status): self = .refused(status)
        case .device(let error): self = .device(error)
        case .invalidResponse: self = .device(.protocolViolation(failure.description))
        }
    }
}
