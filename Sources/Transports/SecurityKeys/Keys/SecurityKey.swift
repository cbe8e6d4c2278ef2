package import CTAP

/// What a person does with a security key of theirs, whoever carries it out: our own client over raw CTAP
/// (``DirectKey``), or libfido2 (``LibFIDO2Key``).
///
/// Where a PIN is wanted, nil means none: the key then verifies its person itself, if it can, or does without.
/// Cancelling the calling task cancels what the key waits for.
package protocol SecurityKey: Sendable {
    /// The CBOR of authenticatorGetInfo's answer.
    func getInfo() async throws(SecurityKeyError) -> [UInt8]

    // MARK: PIN and built-in verification

    /// Wrong PINs left; never costs one.
    func pinRetries() async throws(SecurityKeyError) -> Int
    /// Failed attempts left at the sensor.
    func uvRetries() async throws(SecurityKeyError) -> Int
    func setPIN(_ pin: String) async throws(SecurityKeyError)
    func changePIN(from current: String, to new: String) async throws(SecurityKeyError)

    // MARK: Ceremonies

    /// Makes a credential.
    ///
    /// - Parameter uv: whether the key shall verify its person itself.
    func makeCredential(
        _ request: MakeCredentialRequest, pin: String?, uv: Bool
    ) async throws(SecurityKeyError) -> MakeCredentialResponse
    /// Signs in with every credential that fits.
    func getAssertions(
        _ request: GetAssertionRequest, pin: String?, uv: Bool
    ) async throws(SecurityKeyError) -> [GetAssertionResponse]

    // MARK: Credential management

    func credentialCounts(pin: String?) async throws(SecurityKeyError) -> KeyCredential.Counts
    func credentials(pin: String?) async throws(SecurityKeyError) -> [KeyCredential]
    func deleteCredential(_ id: [UInt8], pin: String?) async throws(SecurityKeyError)
    func rename(
        _ credential: KeyCredential, name: String, displayName: String?, pin: String?
    ) async throws(SecurityKeyError)

    // MARK: Fingerprints

    func sensor() async throws(SecurityKeyError) -> BioEnrollmentClient.SensorInfo
    func fingerprints(pin: String?) async throws(SecurityKeyError) -> [Fingerprint]
    /// Enrols a finger.
    ///
    /// - Parameter onSample: hears what became of each sample, and how many are still needed.
    /// - Returns: the template's ID.
    func enrolFingerprint(
        pin: String?, onSample: @escaping @Sendable (EnrollSampleStatus?, _ remaining: Int) -> Void
    ) async throws(SecurityKeyError) -> [UInt8]
    func nameFingerprint(_ id: [UInt8], _ name: String, pin: String?) async throws(SecurityKeyError)
    func removeFingerprint(_ id: [UInt8], pin: String?) async throws(SecurityKeyError)

    // MARK: Large blobs

    /// The blob of the credential with this largeBlobKey; nil when it has none.
    func largeBlob(key: [UInt8]) async throws(SecurityKeyError) -> [UInt8]?
    /// Writes that blob, or with nil takes it away.
    func setLargeBlob(_ blob: [UInt8]?, key: [UInt8], pin: String?) async throws(SecurityKeyError)

    // MARK: Configuration and the rest

    func toggleAlwaysUV(pin: String?) async throws(SecurityKeyError)
    func setMinimumPINLength(_ length: Int, pin: String?) async throws(SecurityKeyError)
    func forcePINChange(pin: String?) async throws(SecurityKeyError)
    func enableEnterpriseAttestation(pin: String?) async throws(SecurityKeyError)
    /// Erases everything.
    func reset() async throws(SecurityKeyError)
    /// Returns when the person has touched the key.
    func waitForTouch() async throws(SecurityKeyError)
}

extension SecurityKey {
    /// What the key says about itself.
    package func info() async throws(SecurityKeyError) -> AuthenticatorInfo {
        try SecurityKeyError.readingInfo(try await getInfo())
    }
}

/// A discoverable credential on a key.
package struct KeyCredential: Hashable, Sendable {
    /// How many there are, and how many more fit at most.
    package struct Counts: Hashable, Sendable {
        package let existing: Int
        package let remaining: Int
    }

    /// The RP ID, which a key may have cut.
    package let relyingPartyID: String
    package let id: [UInt8]
    package let user: PublicKeyCredentialUserEntity
    /// The COSE identifier of its algorithm, where the key tells it.
    package let algorithm: Int?
    /// credProtect, 1 to 3.
    package let protection: Int?
    /// 32 bytes, for credentials that may have a large blob.
    package let largeBlobKey: [UInt8]?
}

/// A finger that a key knows.
package struct Fingerprint: Hashable, Sendable {
    package let id: [UInt8]
    package let name: String?
}
