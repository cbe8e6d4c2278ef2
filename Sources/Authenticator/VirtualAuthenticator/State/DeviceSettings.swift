internal import Biometrics
internal import CTAP

/// The persistent state besides the credentials.
///
/// Codable for storage; a member added later needs a default, so that older files stay readable.
struct DeviceSettings: Sendable, Codable {
    var pin: ClientPINState
    var alwaysUV: Bool?
    /// The key that seals non-discoverable credentials; a reset replaces it and so ends them all.
    var sealingKey: [UInt8]
    var gate: UserVerificationGate?
    /// persistentPinUvAuthToken, 32 bytes (CTAP 2.3 §6.5.2.1).
    var persistentToken: [UInt8]
    /// The plaintext of encIdentifier, 16 bytes (CTAP 2.3 §6.4).
    var identifier: [UInt8]
    /// The plaintext of encCredStoreState, 16 bytes (CTAP 2.3 §6.4).
    var credentialStoreState: [UInt8]
    var isEnterpriseAttestationEnabled = false
    /// The serial number in enterprise attestation, 8 bytes; nil until the first one.
    var serialNumber: [UInt8]?
    var needsLongTouchForReset = false
    /// Built-in verifications since the PIN was last entered, failed ones included (CTAP 2.3 §6.4,
    /// uvCountSinceLastPinEntry).
    var uvCountSinceLastPINEntry = 0
}

extension DeviceSettings {
    /// The initial settings, also after a reset.
    static func factory(
        _ configuration: AuthenticatorConfiguration, _ random: any RandomSource, gate: UserVerificationGate?
    ) -> DeviceSettings {
        var pin = ClientPINState(retries: configuration.maxPINRetries, minimumLength: configuration.minPINLength)
        pin.isComplexityEnforced = configuration.pinComplexityPolicy ?? false
        return DeviceSettings(
            pin: pin, alwaysUV: configuration.alwaysUV, sealingKey: random.bytes(32), gate: gate,
            persistentToken: random.bytes(32), identifier: random.bytes(16), credentialStoreState: random.bytes(16),
            isEnterpriseAttestationEnabled:
                configuration.management.enterpriseAttestation?.isEnabledInitially ?? false)
    }
}

/// The client PIN (CTAP 2.3 §6.5.3).
struct ClientPINState: Sendable, Codable {
    /// LEFT(SHA-256(PIN), 16); nil while no PIN is set.
    var hash: [UInt8]?
    /// The PIN's length in code points.
    var length = 0
    var retries: Int
    var minimumLength: Int
    /// Whether the PIN must be changed before it gives a token again.
    var mustChange = false
    /// Whether new PINs must meet the complexity policy (CTAP 2.3 §6.4, pinComplexityPolicy).
    var isComplexityEnforced = false
    /// The RP IDs setMinPINLength allows to read the minimum; nil until it names any.
    var relyingPartyIDs: [String]?
    /// Mismatches since power-up or the last match; three of them block until the power is cycled.
    var consecutiveMismatches = 0

    static let softBlockLimit = 3

    var isSet: Bool { hash != nil }
    var isBlocked: Bool { isSet && retries == 0 }
    var isSoftBlocked: Bool { consecutiveMismatches >= Self.softBlockLimit }
}
