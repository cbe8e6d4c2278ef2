internal import CTAP
internal import Causes
internal import DeviceActs
internal import WebAuthn
internal import WebAuthnClient

/// The result of a played step; an ``Observation`` adds the records of the relying party and the device.
struct StepResult: Sendable {
    /// Whether the step was refused, apart from the relying party's own refusals.
    var isRefused = false
    /// The cause of a refusal that neither the authenticator nor the client made, such as an invalidated key.
    var cause: Cause?
    /// A sentence that says more than the cause, if there is one.
    var explanation: String?
    var clientError: WebAuthnClientError?
    /// Whether an app got the error, and no page.
    var isFromApp = false
    /// Whether the page was on another computer, whose QR code the device scanned.
    var isScanned = false
    /// The ceremony's properties in the credential's response.
    var authenticatorData: AuthenticatorData?
    /// The number of passkeys the relying party lists.
    var passkeys: Int?
    /// The result of an act on the device: the secret read, or the time an app was away.
    var answer: String?
    /// The reason why an act changed nothing; nil for an act with an effect.
    var idleness: String?

    static func refused(
        _ cause: Cause, authenticatorData: AuthenticatorData? = nil, passkeys: Int? = nil
    ) -> StepResult {
        StepResult(isRefused: true, cause: cause, authenticatorData: authenticatorData, passkeys: passkeys)
    }

    /// The result of work whose errors are refusals.
    static func of(_ work: () async throws -> Void) async -> StepResult {
        do {
            try await work()
            return StepResult()
        } catch is AuthenticatorClient.Failure {
            // The device's log has the cause.
            return StepResult(isRefused: true)
        } catch {
            let error = AttributedError(error)
            var result = StepResult.refused(error.cause)
            result.explanation = error.explanation
            return result
        }
    }
}

extension StepResult {
    init(_ result: DeviceActResult) {
        self.init(
            isRefused: result.cause != nil, cause: result.cause, explanation: result.explanation,
            answer: result.answer, idleness: result.idleness)
    }
}
