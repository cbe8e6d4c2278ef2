internal import CBOR
package import CTAP

/// Why a key did not do what was asked.
package enum SecurityKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It refused with this status.
    case refused(CTAPStatus)
    /// No usable answer came.
    case device(CTAPDeviceError)
    /// libfido2 failed, in its words.
    case library(String)
    /// The key, or the way to it, cannot do this at all.
    case unsupported(String)

    package var description: String {
        switch self {
        case .refused(let status): "the key refused: \(status)"
        case .device(let error): error.description
        case .library(let detail): "libfido2: \(detail)"
        case .unsupported(let detail): detail
        }
    }

    /// The status of a refusal.
    package var status: CTAPStatus? {
        if case .refused(let status) = self { status } else { nil }
    }

    init(_ failure: AuthenticatorClient.Failure) {
        switch failure {
        case .refused(_, let status): self = .refused(status)
        case .device(let error): self = .device(error)
        case .invalidResponse: self = .device(.protocolViolation(failure.description))
        }
    }

    static func readingInfo(_ bytes: [UInt8]) throws(SecurityKeyError) -> AuthenticatorInfo {
        do {
            return try AuthenticatorInfo(cbor: CBOR.decode(bytes, options: .attestation))
        } catch {
            throw .device(.protocolViolation("the answer to GetInfo is invalid: \(error)"))
        }
    }
}
