public import COSE

/// The kind of an attestation: a statement format and the signer (WebAuthn L3 §6.5.4, §8).
public enum AttestationKind: String, Hashable, Sendable, CaseIterable {
    /// No statement.
    case none
    /// `packed`, signed with the credential's own key: self attestation.
    case packed
    /// `packed`, signed with the model's key, with its certificate.
    case packedBasic = "packed-basic"
    /// `fido-u2f`, the format of a CTAP1 registration.
    case fidoU2F = "fido-u2f"
    /// `tpm`, from a TPM that holds the key and signs with ES256.
    case tpm
    /// `tpm`, from a TPM that holds the key and signs with RS1, as Windows has it.
    case tpmRS1 = "tpm-rs1"
    /// `android-key`, a certificate of Android's keystore.
    case androidKey = "android-key"
    /// `apple`, an anonymous certificate for each credential.
    case apple
    /// `compound`: `packed` with the model's certificate, and `android-key`.
    case compound

    /// The format's identifier in attestation objects and getInfo.
    public var format: String {
        switch self {
        case .packedBasic: "packed"
        case .tpmRS1: "tpm"
        default: rawValue
        }
    }

    /// A short description.
    public var summary: String {
        switch self {
        case .none: "no statement"
        case .packed: "signed with the credential's own key"
        case .packedBasic: "signed with the model's key, with its certificate"
        case .fidoU2F: "in the format of a CTAP1 registration, with a certificate and without a model"
        case .tpm: "certified by a TPM that holds the key, with a certificate for its attestation key"
        case .tpmRS1: "the same, signed with RSA and SHA-1, as Windows does"
        case .androidKey: "a certificate of Android's keystore for the credential's key"
        case .apple: "an anonymous certificate for the credential's key"
        case .compound: "packed with a certificate, and android-key"
        }
    }

    /// Whether the kind supports credentials of an algorithm.
    public func attests(_ algorithm: COSE.Algorithm) -> Bool {
        switch self {
        case .none, .packed, .packedBasic: true
        case .fidoU2F: algorithm == .es256
        case .tpm, .tpmRS1, .androidKey, .apple, .compound: Self.describableAlgorithms.contains(algorithm)
        }
    }

    /// The algorithms whose keys relying parties can read in certificates and in TPM structures.
    private static let describableAlgorithms: Set<COSE.Algorithm> = [.es256, .es384, .es512, .rs256]
}
