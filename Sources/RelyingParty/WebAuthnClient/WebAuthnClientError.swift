public import CTAP
public import Causes

/// The name a page reads from the error of create() or get() (Web IDL §2.8.1; `TypeError` is ECMAScript's own).
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

/// Why create() or get() gave no credential: the name the page sees, and the cause it never learns.
public struct WebAuthnClientError: CausedError, Hashable, Sendable, CustomStringConvertible {
    /// What the page sees.
    public let domException: DOMExceptionName
    /// The status the authenticator refused with; nil when the client decided by itself.
    public let ctapStatus: CTAPStatus?
    /// Why: `client.*` for the client's decisions, `ctap.*` for refusals, `device.*` for a lost device.
    public let reason: RefusalReason
    /// What exactly was found, where that helps; never a secret.
    public let detail: String?

    /// The client's own cause.
    public var cause: Cause { reason.cause }

    /// The cause, if the device's last refusal is known as well.
    ///
    /// The refusal is closer to the origin. But if the client found no credential, gave up waiting, or the user
    /// cancelled in the client, that is the cause, whatever the device refused before.
    public func cause(after refusal: Refusal?) -> Cause {
        let isFinal = [.noCredential, .clientTimeout, .pinCancelled, .accountNotChosen].contains(reason)
        return isFinal ? cause : refusal?.cause ?? cause
    }

    /// Describes an error.
    public init(
        _ domException: DOMExceptionName, _ reason: RefusalReason, ctapStatus: CTAPStatus? = nil,
        detail: String? = nil
    ) {
        self.domException = domException
        self.reason = reason
        self.ctapStatus = ctapStatus
        self.detail = detail
    }

    /// Whether no answer came from the device, which a page cannot tell from a refusal.
    public var isDeviceFailure: Bool {
        [.deviceDisconnected, .deviceTimedOut, .deviceBusy, .deviceProtocolViolation].contains(reason)
    }

    public var description: String {
        "\(domException.rawValue) because \(reason)" + (ctapStatus.map { ", status \($0)" } ?? "")
            + (detail.map { ": \($0)" } ?? "")
    }
}

/// Which of the two calls is running; some causes show a different name in each.
public enum Ceremony: String, Hashable, Sendable, CaseIterable {
    /// navigator.credentials.create().
    case create
    /// navigator.credentials.get().
    case get
}

extension WebAuthnClientError {
    /// What a command's failure looks like from the page.
    init(_ failure: AuthenticatorClient.Failure, during ceremony: Ceremony) {
        switch failure {
        case .refused(let command, let status):
            self.init(refusal: status, during: ceremony, detail: command.description)
        case .invalidResponse:
            self.init(.unknownError, .invalidResponse, detail: failure.description)
        case .device(.disconnected):
            self.init(.notAllowedError, .deviceDisconnected, detail: failure.description)
        case .device(.timedOut):
            self.init(.notAllowedError, .deviceTimedOut, detail: failure.description)
        case .device(.busy):
            self.init(.notAllowedError, .deviceBusy, detail: failure.description)
        case .device(.protocolViolation):
            self.init(.unknownError, .deviceProtocolViolation, detail: failure.description)
        }
    }
}
