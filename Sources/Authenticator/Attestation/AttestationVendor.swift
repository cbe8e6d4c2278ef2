/// The vendor's entries in its certificates.
public struct AttestationVendor: Hashable, Sendable {
    /// The subject's CN, O and C; OU is fixed (WebAuthn L3 §8.2.1).
    public var commonName = "Touchstone Virtual Authenticator"
    /// The organization (O).
    public var organization = "Touchstone"
    /// The country (C), two letters.
    public var country = "NO"
    /// The root's CN; nil for that of the leaves.
    public var rootCommonName: String? = "Touchstone Test Attestation Root"
    /// How long certificates are valid, since the Unix epoch: fixed, so that a certificate follows from its keys.
    ///
    /// 1 January 2020 to 1 January 2060 unless said otherwise.
    public var validFrom = Duration.seconds(1_577_836_800)
    /// The end of validity, since the Unix epoch.
    public var validUntil = Duration.seconds(2_840_140_800)
    /// Whether the certificates of `packed` and `tpm` statements name the model (id-fido-gen-ce-aaguid).
    public var namesModel = true
    /// Whether authenticator data names the model even in `fido-u2f`, whose keys have none.
    public var namesModelInU2F = false
    /// A TPM's manufacturer, model and version (TCG EK Credential Profile 2.6 §3.2.9).
    public var tpmManufacturer = "id:FFFFF1D0"
    /// The model of the TPM.
    public var tpmModel = "Touchstone virtual TPM"
    /// The version of the TPM, as `id:` and eight hexadecimal digits.
    public var tpmVersion = "id:00000001"
    /// A TPM's clock as it certifies, TPMS_CLOCK_INFO (TPM 2.0 Library, Part 2 §10.11.1), 17 bytes: clock (8) ‖ reset
    /// count (4) ‖ restart count (4) ‖ safe (1), which is 0 or 1.
    public var tpmClock = [UInt8](repeating: 0, count: 16) + [0x01]
    /// Whether Android's key description says how the key came to be and what it is for, as a trusted environment
    /// does; otherwise it is one of software that says nothing.
    public var describesAndroidKeys = true

    /// The bench's own.
    public init() {}
}
