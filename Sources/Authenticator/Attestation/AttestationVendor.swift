/// The vendor's entries in its certificates.
public struct AttestationVendor: Hashable, Sendable {
    /// The subject's CN, O and C; OU is fixed (WebAuthn L3 §8.2.1).
    public var commonName = "Touchstone Virtual Authenticator"
    /// The organization (O).
    public var organization = "Touchstone"
    /// The country (C), two letters.
    public var country = "NO"
    /// The root's CN; nil for the leaves' CN.
    public var rootCommonName: String? = "Touchstone Test Attestation Root"
    /// The start of validity, since the Unix epoch; default: 1 January 2020.
    public var validFrom = Duration.seconds(1_577_836_800)
    /// The end of validity, since the Unix epoch; default: 1 January 2060.
    public var validUntil = Duration.seconds(2_840_140_800)
    /// Whether the certificates of `packed` and `tpm` statements name the model (id-fido-gen-ce-aaguid).
    public var namesModel = true
    /// Whether authenticator data contains the AAGUID in `fido-u2f`, too.
    public var namesModelInU2F = false
    /// The registered manufacturer of a TPM (TCG EK Credential Profile 2.6 §3.2.9); default: Microsoft.
    public var tpmManufacturer = "id:4D534654"
    /// The model of the TPM.
    public var tpmModel = "Touchstone virtual TPM"
    /// The version of the TPM, as `id:` and eight hexadecimal digits.
    public var tpmVersion = "id:00000001"
    /// A TPM's clock in certInfo, TPMS_CLOCK_INFO (TPM 2.0 Library, Part 2 §10.11.1), 17 bytes: clock (8) ‖ reset
    /// count (4) ‖ restart count (4) ‖ safe (1), which is 0 or 1.
    public var tpmClock = [UInt8](repeating: 0, count: 16) + [0x01]
    /// Whether `android-key` has leaf, intermediate and root, as on Android; otherwise a leaf that the root issued.
    public var sendsAndroidPath = true
    /// Whether Android's key description is a trusted environment's, with origin and purpose; otherwise software's.
    public var describesAndroidKeys = true

    /// The bench's vendor.
    public init() {}
}
