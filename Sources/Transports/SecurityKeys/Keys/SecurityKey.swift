internal import CBOR
package import CTAP

/// The operations of a security key, performed by this project's client over CTAP (``DirectKey``) or by libfido2
/// (``LibFIDO2Key``).
///
/// A PIN of nil means none: the key then uses built-in verification, if it has it, or no verification. Cancelling the
/// calling task cancels the key's operation.
package protocol SecurityKey: Sendable {
    /// The CBOR of authenticatorGetInfo's answer.
    func getInfo() async throws(SecurityKeyError) -> [UInt8]

    // MARK: PIN and built-in verification

    /// The PIN retries left; reading them uses none.
    func pinRetries() async throws(SecurityKeyError) -> Int
    /// Whether wrong PINs block the key until it is unplugged (powerCycleState, CTAP 2.3 §6.5.5.2); nil where the library
    /// does not say.
    func isPINBlockedUntilUnplugged() async throws(SecurityKeyError) -> Bool?
    func uvRetries() async throws(SecurityKeyError) -> Int
    func setPIN(_ pin: String) async throws(SecurityKeyError)
    func changePIN(from current: String, to new: String) async throws(SecurityKeyError)

    // MARK: Ceremonies

    /// - Parameter uv: whether to request built-in verification.
    func makeCredential(
        _ request: MakeCredentialRequest, pin: String?, uv: Bool
    ) async throws(SecurityKeyError) -> MakeCredentialResponse
    /// Signs in with every matching credential.
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
    /// `onSample` is called with the status of each sample and the number still needed; returns the template's ID.
    func enrolFingerprint(
        pin: String?, onSample: @escaping @Sendable (EnrollSampleStatus?, _ remaining: Int) -> Void
    ) async throws(SecurityKeyError) -> [UInt8]
    func nameFingerprint(_ id: [UInt8], _ name: String, pin: String?) async throws(SecurityKeyError)
    func removeFingerprint(_ id: [UInt8], pin: String?) async throws(SecurityKeyError)

    // MARK: Large blobs

    /// The blob of the credential with this largeBlobKey; nil without one.
    func largeBlob(key: [UInt8]) async throws(SecurityKeyError) -> [UInt8]?
    /// Writes the blob of the credential with this largeBlobKey; nil removes it.
    func setLargeBlob(_ blob: [UInt8]?, key: [UInt8], pin: String?) async throws(SecurityKeyError)

    // MARK: Configuration and the rest

    func toggleAlwaysUV(pin: String?) async throws(SecurityKeyError)
    func setMinimumPINLength(_ length: Int, pin: String?) async throws(SecurityKeyError)
    func forcePINChange(pin: String?) async throws(SecurityKeyError)
    func enableEnterpriseAttestation(pin: String?) async throws(SecurityKeyError)
    func reset() async throws(SecurityKeyError)
    func waitForTouch() async throws(SecurityKeyError)
}

extension SecurityKey {
    package func info() async throws(SecurityKeyError) -> AuthenticatorInfo {
        let bytes = try await getInfo()
        do {
            return try AuthenticatorInfo(cbor: CBOR.decode(bytes, options: .attestation))
        } catch {
            throw .device(.protocolViolation("the answer to GetInfo is invalid: \(error)"))
        }
    }
}

/// A discoverable credential on a key.
package struct KeyCredential: Hashable, Sendable {
    /// The number of credentials, and the maximum number that can be added.
    package struct Counts: Hashable, Sendable {
        package let existing: Int
        package let remaining: Int
    }

    /// The RP ID, which a key may have truncated.
    package let relyingPartyID: String
    package let id: [UInt8]
    package let user: PublicKeyCredentialUserEntity
    /// The COSE identifier of its algorithm; nil when the key does not report it.
    package let algorithm: Int?
    /// credProtect, 1 to 3.
    package let protection: Int?
    /// 32 bytes, for credentials that may have a large blob.
    package let largeBlobKey: [UInt8]?
}

/// A fingerprint template on a key.
package struct Fingerprint: Hashable, Sendable {
    package let id: [UInt8]
    package let name: String?
}
