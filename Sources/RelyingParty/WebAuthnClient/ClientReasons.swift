public import CTAP
internal import Causes

/// The client's own reasons for ending a ceremony.
extension RefusalReason {
    // The options.
    public static let userIDLength = RefusalReason(Cause("client.userIDLength"), "WebAuthn L3 §5.1.3")
    public static let noKnownCredentialType = RefusalReason(Cause("client.noKnownCredentialType"), "WebAuthn L3 §5.1.3")
    public static let optionsNotJSON = RefusalReason(Cause("client.optionsNotJSON"), "WebAuthn L3 §5.1.9")
    public static let optionsMember = RefusalReason(Cause("client.optionsMember"), "WebAuthn L3 §5.1.9")
    public static let optionsBase64URL = RefusalReason(Cause("client.optionsBase64URL"), "WebAuthn L3 §5.1.9")

    // The caller and its RP ID.
    public static let insecureOrigin = RefusalReason(Cause("client.insecureOrigin"), "WebAuthn L3 §5")
    public static let originIsAddress = RefusalReason(Cause("client.originIsAddress"), "WebAuthn L3 §5.1.3")
    public static let rpIDSingleLabel = RefusalReason(Cause("client.rpIDSingleLabel"), "HTML §7.1.1.2")
    public static let rpIDPublicSuffix = RefusalReason(Cause("client.rpIDPublicSuffix"), "HTML §7.1.1.2")
    public static let rpIDMismatch = RefusalReason(Cause("client.rpIDMismatch"), "WebAuthn L3 §5.1.3")
    public static let rpIDMissing = RefusalReason(Cause("client.rpIDMissing"), "WebAuthn L3 §5.1.3")
    public static let rpIDNotAssociated = RefusalReason(Cause("client.rpIDNotAssociated"), "WebAuthn L3 §5.8.1")

    // The extensions.
    public static let prfEvalByCredential = RefusalReason(Cause("client.prfEvalByCredential"), "WebAuthn L3 §10.1.4")
    public static let prfCredentialID = RefusalReason(Cause("client.prfCredentialID"), "WebAuthn L3 §10.1.4")
    public static let largeBlobInputs = RefusalReason(Cause("client.largeBlobInputs"), "WebAuthn L3 §10.1.5")
    public static let largeBlobUnsupported = RefusalReason(Cause("client.largeBlobUnsupported"), "WebAuthn L3 §10.1.5")
    public static let credentialProtectionUnsupported = RefusalReason(
        Cause("client.credentialProtectionUnsupported"), "CTAP 2.3 §12.1")
    public static let appIDNotAuthorized = RefusalReason(Cause("client.appIDNotAuthorized"), "WebAuthn L3 §10.1.1")
    public static let appIDExcluded = RefusalReason(Cause("client.appIDExcluded"), "WebAuthn L3 §10.1.2")

    // What the device cannot do.
    public static let attachmentMismatch = RefusalReason(Cause("client.attachmentMismatch"), "WebAuthn L3 §5.1.3")
    public static let residentKeyUnsupported = RefusalReason(
        Cause("client.residentKeyUnsupported"), "WebAuthn L3 §5.1.3")
    public static let userVerificationUnavailable = RefusalReason(
        Cause("client.userVerificationUnavailable"), "WebAuthn L3 §5.1.3")
    public static let noCredential = RefusalReason("client", .noCredentials, as: "noCredential", "WebAuthn L3 §5.1.4")

    // The person.
    public static let pinCancelled = RefusalReason("client", .userCancelled, as: "pinCancelled", "CTAP 2.3 §6.5.5")
    public static let pinBlocked = RefusalReason(Cause("client.pinBlocked"), "CTAP 2.3 §6.5.5")
    public static let pinChangeRequired = RefusalReason(Cause("client.pinChangeRequired"), "CTAP 2.3 §6.4")
    public static let accountNotChosen = RefusalReason(
        "client", .userCancelled, as: "accountNotChosen", "WebAuthn L3 §5.1.4")

    // The end of the wait.
    public static let clientTimeout = RefusalReason("client", .timedOut, as: "timeout", "WebAuthn L3 §5.1.3")
    public static let clientAborted = RefusalReason(Cause("client.aborted"), "WebAuthn L3 §5.6")

    // The device.
    public static let invalidResponse = RefusalReason(Cause("ctap.invalidResponse"), "CTAP 2.3 §8")
    public static let deviceDisconnected = RefusalReason(Cause("device.disconnected"), "CTAP 2.3 §11")
    public static let deviceTimedOut = RefusalReason(Cause("device.timedOut"), "CTAP 2.3 §11")
    public static let deviceBusy = RefusalReason(Cause("device.busy"), "CTAP 2.3 §11")
    public static let deviceProtocolViolation = RefusalReason(Cause("device.protocolViolation"), "CTAP 2.3 §11")
}
