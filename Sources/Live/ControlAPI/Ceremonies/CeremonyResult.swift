internal import CTAP
internal import Causes
internal import Documents
internal import PlatformErrors
internal import WebAuthnClient

/// The page's result when the ceremony fails.
struct CeremonyResult: Codable, Sendable {
    let error: CeremonyFailure
    /// The errors that an app gets for the cause, from its platform and from SDKs; empty for none.
    let faces: [PlatformError]
    /// The time that the ceremony took on the device's clock.
    let elapsedSeconds: Double

    /// The schema of both results: a credential, or a failure.
    static func schema(_ answer: String) -> Schema {
        .anyOf([
            .object(
                .required("credential", .anyObject, answer),
                .required("elapsedSeconds", .number, "The time that the ceremony took on the device's clock.")),
            .named("CeremonyFailure", Schema.of(CeremonyResult.self)),
        ])
    }
}

/// The reason why a ceremony failed.
struct CeremonyFailure: Codable, Sendable {
    /// The DOMException's name, or `TypeError`; a page learns nothing else.
    let name: String
    /// The cause in the words of scenarios and of the table of platform errors, such as `userCancelled`.
    let cause: Cause
    /// The client's reason: `client.*`, `ctap.*` or `device.*`.
    let reason: String
    /// The clause behind the client's reason.
    let clause: String
    let ctapStatus: Int?
    let detail: String?
    /// The device's own reason, such as `getAssertion.builtInUV.lockedOut.permanent`.
    let deviceReason: String?
    /// The state of the device in which no ceremony begins, such as `deviceLocked`; nil for a ceremony that began.
    let obstacle: Cause?

    /// The device cannot begin a ceremony: it is locked or offline, or its app is not in the foreground.
    init(obstacle: Cause) {
        name = DOMExceptionName.notAllowedError.rawValue
        cause = obstacle
        reason = "device.\(obstacle)"
        clause = "WebAuthn L3 §5.1"
        ctapStatus = nil
        detail = nil
        deviceReason = nil
        self.obstacle = obstacle
    }

    /// The page's browser refuses the request before it reaches the device.
    init(_ error: PageError) {
        name = error.name
        cause = Cause("page.refused")
        reason = cause.rawValue
        clause = "WebAuthn L3 §5.1"
        ctapStatus = nil
        detail = error.message
        deviceReason = nil
        obstacle = nil
    }

    /// - Parameter events: the device's events in the ceremony; its last refusal is more exact than the client's reason.
    init(_ error: WebAuthnClientError, after events: CeremonyEvents? = nil) {
        name = error.domException.rawValue
        cause = error.cause(after: events?.cause)
        reason = error.reason.label
        clause = error.reason.clause
        ctapStatus = error.ctapStatus.map { Int($0.rawValue) }
        detail = error.detail
        deviceReason = events?.reason
        obstacle = nil
    }
}
