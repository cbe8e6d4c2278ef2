public import COSE

/// The kind of an attestation: a statement format and the signer (WebAuthn L3 §6.5.4, §8).
public enum AttestationKind: String, Hashable, Sendable, CaseIterable {
    /// No statement.
    case none
    /// `packed`, signed with the credential's own key: self attestation.
    case packed
    /// `packed`, signed with the model's key, with its certificate.
    case packedBasic = "packed-basic"
    /// `fido-u2f`, as a CTAP1 key's registration.
    case fidoU2F = "fido-u2f"
    /// `tpm`, from a TPM that holds the key.
    case tpm
    /// `android-key`, a certificate of Android's keystore.
    case androidKey = "android-key"
    /// `apple`, an anonymous certificate for each credential.
    case apple
    /// `compound`: `packed` with the model's certificate and `android-key`, both.
    case compound

    /// The format's identifier in attestation objects and getInfo.
    public var format: String {
        switch self {
        case .packedBasic: "packed"
        default: rawValue
        }
    }

    /// The kind in a few words.
    public var summary: String {
        switch self {
        case .none: "no statement"
        case .packed: "signed with the credential's own key"
        case .packedBasic: "signed with the model's key, with its certificate"
        case .fidoU2F: "as a CTAP1 key's registration, with a certificate and without a model"
        case .tpm: "a TPM's word for the key it holds, with a certificate for its attestation key"
        case .androidKey: "a certificate of Android's keystore for the credential's key"
        case .apple: "an anonymous certificate for the credential's key"
        case .compound: "packed with a certificate and android-key, both"
        }
    }

    /// Whether credentials of an algorithm can be attested this way.
    public func attests(_ algorithm: COSE.Algorithm) -> Bool {
        switch self {
        case .none, .packed, .packedBasic: true
        case .fidoU2F: algorithm == .es256
        case .tpm: Self.tpmAlgorithms.contains(algorithm)
        case .androidKey, .apple, .compound: Self.certifiableAlgorithms.contains(algorithm)
        }
    }

    private static let tpmAlgorithms: Set<COSE.Algorithm> = [.es256, .es384, .es512, .rs256]
    /// Those whose keys go into certificates that relying parties can read.
    private static let certifiableAlgorithms: Set<COSE.Algorithm> = [.es256, .es384, .es512, .rs256]
}
