package import CTAP
internal import Causes

/// The client's reasons for ending a ceremony.
extension RefusalReason {
    // The options.
    package static let userIDLength = RefusalReason(Cause("client.userIDLength"), "WebAuthn L3 §5.1.3")
    package static let noKnownCredentialType = RefusalReason(
        Cause("client.noKnownCredentialType"), "WebAuthn L3 §5.1.3")
    package static let optionsNotJSON = RefusalReason(Cause("client.optionsNotJSON"), "WebAuthn L3 §5.1.9")
    package static let optionsMember = RefusalReason(Cause("client.optionsMember"), "WebAuthn L3 §5.1.9")
    package static let optionsBase64URL = RefusalReason(Cause("client.optionsBase64URL"), "WebAuthn L3 §5.1.9")

    // The caller and its RP ID.
    package static let insecureOrigin = RefusalReason(Cause("client.insecureOrigin"), "WebAuthn L3 §5")
    package static let originIsAddress = RefusalReason(Cause("client.originIsAddress"), "WebAuthn L3 §5.1.3")
    package static let rpIDSingleLabel = RefusalReason(Cause("client.rpIDSingleLabel"), "HTML §7.1.1.2")
    package static let rpIDPublicSuffix = RefusalReason(Cause("client.rpIDPublicSuffix"), "HTML §7.1.1.2")
    package static let rpIDMismatch = RefusalReason(Cause("client.rpIDMismatch"), "WebAuthn L3 §5.1.3")
    package static let rpIDMissing = RefusalReason(Cause("client.rpIDMissing"), "WebAuthn L3 §5.1.3")
    package static let rpIDNotAssociated = RefusalReason(Cause("client.rpIDNotAssociated"), "WebAuthn L3 §5.8.1")

    // The extensions.
    package static let prfEvalByCredential = RefusalReason(Cause("client.prfEvalByCredential"), "WebAuthn L3 §10.1.4")
    package static let prfCredentialID = RefusalReason(Cause("client.prfCredentialID"), "WebAuthn L3 §10.1.4")
    package static let largeBlobInputs = RefusalReason(Cause("client.largeBlobInputs"), "WebAuthn L3 §10.1.5")
    package static let largeBlobUnsupported = RefusalReason(Cause("client.largeBlobUnsupported"), "WebAuthn L3 §10.1.5")
    package static let credentialProtectionUnsupported = RefusalReason(
        Cause("client.credentialProtectionUnsupported"), "CTAP 2.3 §12.1")
    package static let appIDNotAuthorized = RefusalReason(Cause("client.appIDNotAuthorized"), "WebAuthn L3 §10.1.1")
    package static let appIDInRegistration = RefusalReason(Cause("client.appIDInRegistration"), "WebAuthn L3 §10.1.1")
    package static let appIDExcluded = RefusalReason(Cause("client.appIDExcluded"), "WebAuthn L3 §10.1.2")

    // Capabilities that the device lacks.
    package static let attachmentMismatch = RefusalReason(Cause("client.attachmentMismatch"), "WebAuthn L3 §5.1.3")
    package static let residentKeyUnsupported = RefusalReason(
        Cause("client.residentKeyUnsupported"), "WebAuthn L3 §5.1.3")
    package static let conditionalCreateUnavailable = RefusalReason(
        Cause("client.conditionalCreateUnavailable"), "WebAuthn L3 §5.1.3")
    package static let userVerificationUnavailable = RefusalReason(
        Cause("client.userVerificationUnavailable"), "WebAuthn L3 §5.1.3")
    package static let noCredential = RefusalReason("client", .noCredentials, as: "noCredential", "WebAuthn L3 §5.1.4")

    // The user.
    package static let pinCancelled = RefusalReason("client", .userCancelled, as: "pinCancelled", "CTAP 2.3 §6.5.5")
    package static let pinBlocked = RefusalReason(Cause("client.pinBlocked"), "CTAP 2.3 §6.5.5")
    package static let pinChangeRequired = RefusalReason(Cause("client.pinChangeRequired"), "CTAP 2.3 §6.4")
    package static let accountNotChosen = RefusalReason(
        "client", .userCancelled, as: "accountNotChosen", "WebAuthn L3 §5.1.4")

    // Timeout and cancellation.
    package static let clientTimeout = RefusalReason("client", .timedOut, as: "timeout", "WebAuthn L3 §5.1.3")
    package static let clientAborted = RefusalReason(Cause("client.aborted"), "WebAuthn L3 §5.6")

    // The device.
    package static let invalidResponse = RefusalReason(Cause("ctap.invalidResponse"), "CTAP 2.3 §8")
    package static let deviceDisconnected = RefusalReason(Cause("device.disconnected"), "CTAP 2.3 §11")
    package static let deviceTimedOut = RefusalReason(Cause("device.timedOut"), "CTAP 2.3 §11")
    package static let deviceBusy = RefusalReason(Cause("device.busy"), "CTAP 2.3 §11")
    package static let deviceProtocolViolation = RefusalReason(Cause("device.protocolViolation"), "CTAP 2.3 §11")
}
