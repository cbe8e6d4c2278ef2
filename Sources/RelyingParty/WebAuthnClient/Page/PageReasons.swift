package import CTAP
internal import Causes

/// A page's requests that the browser refuses before it asks a device.
extension RefusalReason {
    package static let conditionalUnavailable = RefusalReason(
        Cause("client.conditionalUnavailable"), "Credential Management §2.5.1")
    package static let passwordSignInMissing = RefusalReason(
        Cause("client.passwordSignInMissing"), "WebAuthn L3 §5.1.3")
    package static let requestPending = RefusalReason(Cause("client.requestPending"), "Credential Management §2.5.1")
    package static let gestureMissing = RefusalReason(Cause("client.gestureMissing"), "HTML §6.4.1")
}
