/// The reasons why a credential is not created or used.
extension Cause {
    /// The device has no credential for the relying party.
    public static let noCredentials = Cause("noCredentials")
    /// The device has no credential with this ID.
    public static let noSuchCredential = Cause("noSuchCredential")
    /// The device has a credential of the exclude list.
    public static let credentialExcluded = Cause("credentialExcluded")
    /// The device supports none of the requested algorithms.
    public static let noSupportedAlgorithm = Cause("noSupportedAlgorithm")
    /// A discoverable credential is required, but the device cannot create one.
    public static let residentKeyUnsupported = Cause("rkUnsupported")
    /// The `rk` option is not allowed in a sign-in.
    public static let residentKeyPresent = Cause("rkPresent")
    /// No space is left for another discoverable credential.
    public static let keyStoreFull = Cause("keyStoreFull")
    /// The key pair could not be generated.
    public static let keyGenerationFailed = Cause("keyGenerationFailed")
    /// The credential could not be sealed into its ID.
    public static let sealingFailed = Cause("sealingFailed")
    /// The signature could not be made.
    public static let signingFailed = Cause("signingFailed")
    /// The attestation statement could not be made.
    public static let attestationFailed = Cause("attestationFailed")
    /// The exclude list has more entries than the device accepts.
    public static let excludeListTooLong = Cause("excludeListTooLong")
    /// The allow list has more entries than the device accepts.
    public static let allowListTooLong = Cause("allowListTooLong")
    /// The client data hash does not have 32 bytes.
    public static let clientDataHashLength = Cause("clientDataHashLength")
    /// The user ID has more than 64 bytes.
    public static let userIDTooLong = Cause("userIDTooLong")
    /// The credential belongs to another user ID.
    public static let otherUser = Cause("otherUser")
    /// Enterprise attestation was requested but is not enabled.
    public static let enterpriseAttestationUnsupported = Cause("enterpriseAttestationUnsupported")
    /// The value of `enterpriseAttestation` is neither 1 nor 2.
    public static let enterpriseAttestationValue = Cause("enterpriseAttestationValue")
    /// No result of an earlier command is left to return.
    public static let nothingPending = Cause("nothingPending")
    /// The results of the earlier command have expired.
    public static let expired = Cause("expired")
}

/// The reasons why user presence is not established.
extension Cause {
    /// The touch was shorter than requested.
    public static let touchTooShort = Cause("touchTooShort")
    /// The device was not tapped on the reader, or the tap was already used.
    public static let tapMissing = Cause("tapMissing")
    /// The `up` option is false where presence is required.
    public static let upFalse = Cause("upFalse")
    /// The transport does not accept this command.
    public static let transportNotAccepted = Cause("transportNotAccepted")
    /// The command came too long after the device was powered up.
    public static let tooLateAfterPowerUp = Cause("tooLateAfterPowerUp")
}

/// The reasons why an extension is not processed.
extension Cause {
    /// The device does not support the requested feature.
    public static let unsupported = Cause("unsupported")
    /// The large-blob input neither reads nor writes.
    public static let neitherReadNorWrite = Cause("neitherReadNorWrite")
    /// The large-blob input both reads and writes.
    public static let readAndWrite = Cause("readAndWrite")
    /// A large-blob write needs an allow list with exactly one credential.
    public static let writeNamesOne = Cause("writeNamesOne")
    /// The extension's option is false, which is not allowed.
    public static let optionFalse = Cause("false")
    /// The extension needs a discoverable credential.
    public static let notDiscoverable = Cause("notDiscoverable")
    /// The extension needs another one that the request does not enable.
    public static let notEnabled = Cause("notEnabled")
    /// The credential protection level does not exist.
    public static let unknownLevel = Cause("unknownLevel")
    /// The authentication of the salts does not verify.
    public static let saltAuthInvalid = Cause("saltAuthInvalid")
    /// The salts do not have 32 or 64 bytes.
    public static let saltLength = Cause("saltLength")
}
