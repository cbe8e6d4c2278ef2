public import CTAP
public import Causes

/// The name of the exception of create() or get() (Web IDL §2.8.1; `TypeError` is from ECMAScript).
public enum DOMExceptionName: String, Hashable, Sendable, CaseIterable {
    case notAllowedError = "NotAllowedError"
    case invalidStateError = "InvalidStateError"
    case constraintError = "ConstraintError"
    case notSupportedError = "NotSupportedError"
    case securityError = "SecurityError"
    case abortError = "AbortError"
    case unknownError = "UnknownError"
    case typeError = "TypeError"
    case encodingError = "EncodingError"
    case syntaxError = "SyntaxError"
}

/// The failure of create() or get(): the exception a page sees, and the reason hidden from it.
public struct WebAuthnClientError: CausedError, Hashable, Sendable, CustomStringConvertible {
    /// The exception the page sees.
    public let domException: DOMExceptionName
    /// The authenticator's status; nil when the client refused.
    public let ctapStatus: CTAPStatus?
    /// The reason: `client.*` for the client's decisions, `ctap.*` for refusals, `device.*` for a lost device.
    public let reason: RefusalReason
    /// Details, if any; never a secret.
    public let detail: String?

    /// The client's own cause.
    public var cause: Cause { reason.cause }

    /// The cause, if that of the device's last refusal is also known.
    ///
    /// The device's refusal is more exact. Exceptions: no credential found, a timeout in the client, and a cancellation
    /// in the client take precedence over an earlier refusal.
    package func cause(after refusal: Cause?) -> Cause {
        let isFinal = [.noCredential, .clientTimeout, .pinCancelled, .accountNotChosen].contains(reason)
        return isFinal ? cause : refusal ?? cause
    }

    package init(
        _ domException: DOMExceptionName, _ reason: RefusalReason, ctapStatus: CTAPStatus? = nil,
        detail: String? = nil
    ) {
        (self.domException, self.reason, self.ctapStatus, self.detail) = (domException, reason, ctapStatus, detail)
    }

    /// Whether the device did not answer, which a page cannot distinguish from a refusal.
    public var isDeviceFailure: Bool {
        [.deviceDisconnected, .deviceTimedOut, .deviceBusy, .deviceProtocolViolation].contains(reason)
    }

    /// The exception, the reason, the status and the details.
    public var description: String {
        "\(domException.rawValue) because \(reason)" + (ctapStatus.map { ", status \($0)" } ?? "")
            + (detail.map { ": \($0)" } ?? "")
    }
}

/// The two calls; some reasons have a different exception in each.
package enum Ceremony: String, Hashable, Sendable, CaseIterable {
    case create
    case get
}

extension WebAuthnClientError {
    init(_ failure: AuthenticatorClient.Failure, during ceremony: Ceremony) {
        switch failure {
        case .refused(let command, let status):
            self.init(refusal: status, during: ceremony, detail: command.description)
        case .invalidResponse: self.init(.unknownError, .invalidResponse, detail: failure.description)
        case .device(.disconnected): self.init(.notAllowedError, .deviceDisconnected, detail: failure.description)
        case .device(.timedOut), .device(.messageTimeout):
            self.init(.notAllowedError, .deviceTimedOut, detail: failure.description)
        case .device(.busy): self.init(.notAllowedError, .deviceBusy, detail: failure.description)
        case .device(.protocolViolation):
            self.init(.unknownError, .deviceProtocolViolation, detail: failure.description)
        }
    }
}
