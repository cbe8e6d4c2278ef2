public import CTAP

/// The client's own reasons for ending a ceremony.
extension RefusalReason {
    // The options.
    public static let userIDLength = RefusalReason("client.userIDLength", "WebAuthn L3 §5.1.3")
    public static let noKnownCredentialType = RefusalReason("client.noKnownCredentialType", "WebAuthn L3 §5.1.3")
    public static let optionsNotJSON = RefusalReason("client.optionsNotJSON", "WebAuthn L3 §5.1.9")
    public static let optionsMember = RefusalReason("client.optionsMember", "WebAuthn L3 §5.1.9")
    public static let optionsBase64URL = RefusalReason("client.optionsBase64URL", "WebAuthn L3 §5.1.9")

    // The caller and its RP ID.
    public static let insecureOrigin = RefusalReason("client.insecureOrigin", "WebAuthn L3 §5")
    public static let originIsAddress = RefusalReason("client.originIsAddress", "WebAuthn L3 §5.1.3")
    public static let rpIDSingleLabel = RefusalReason("client.rpIDSingleLabel", "HTML §7.1.1.2")
    public static let rpIDPublicSuffix = RefusalReason("client.rpIDPublicSuffix", "HTML §7.1.1.2")
    public static let rpIDMismatch = RefusalReason("client.rpIDMismatch", "WebAuthn L3 §5.1.3")
    public static let rpIDMissing = RefusalReason("client.rpIDMissing", "WebAuthn L3 §5.1.3")
    public static let rpIDNotAssociated = RefusalReason("client.rpIDNotAssociated", "WebAuthn L3 §5.8.1")

    // The extensions.
    public static let prfEvalByCredential = RefusalReason("client.prfEvalByCredential", "WebAuthn L3 §10.1.4")
    public static let prfCredentialID = RefusalReason("client.prfCredentialID", "WebAuthn L3 §10.1.4")
    public static let largeBlobInputs = RefusalReason("client.largeBlobInputs", "WebAuthn L3 §10.1.5")
    public static let largeBlobUnsupported = RefusalReason("client.largeBlobUnsupported", "WebAuthn L3 §10.1.5")
    public static let credentialProtectionUnsupported = RefusalReason(
        "client.credentialProtectionUnsupported", "CTAP 2.3 §12.1")
    public static let appIDNotAuthorized = RefusalReason("client.appIDNotAuthorized", "WebAuthn L3 §10.1.1")
    public static let appIDExcluded = RefusalReason("client.appIDExcluded", "WebAuthn L3 §10.1.2")

    // What the device cannot do.
    public static let attachmentMismatch = RefusalReason("client.attachmentMismatch", "WebAuthn L3 §5.1.3")
    public static let residentKeyUnsupported = RefusalReason("client.residentKeyUnsupported", "WebAuthn L3 §5.1.3")
    public static let userVerificationUnavailable = RefusalReason(
        "client.userVerificationUnavailable", "WebAuthn L3 §5.1.3")
    public static let noCredential = RefusalReason("client.noCredential", "WebAuthn L3 §5.1.4")

    // The person.
    public static let pinCancelled = RefusalReason("client.pinCancelled", "CTAP 2.3 §6.5.5")
    public static let pinBlocked = RefusalReason("client.pinBlocked", "CTAP 2.3 §6.5.5")
    public static let pinChangeRequired = RefusalReason("client.pinChangeRequired", "CTAP 2.3 §6.4")
    public static let accountNotChosen = RefusalReason("client.accountNotChosen", "WebAuthn L3 §5.1.4")

    // The end of the wait.
    public static let clientTimeout = RefusalReason("client.timeout", "WebAuthn L3 §5.1.3")
    public static let clientAborted = RefusalReason("client.aborted", "WebAuthn L3 §5.6")

    // The device.
    public static let invalidResponse = RefusalReason("ctap.invalidResponse", "CTAP 2.3 §8")
    public static let deviceDisconnected = RefusalReason("device.disconnected", "CTAP 2.3 §11")
    public static let deviceTimedOut = RefusalReason("device.timedOut", "CTAP 2.3 §11")
    public static let deviceBusy = RefusalReason("device.busy", "CTAP 2.3 §11")
    public static let deviceProtocolViolation = RefusalReason("device.protocolViolation", "CTAP 2.3 §11")
}
