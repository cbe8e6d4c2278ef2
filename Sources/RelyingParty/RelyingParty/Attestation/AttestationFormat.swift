package import CBOR
package import COSE
package import WebAuthn

/// The verification of one attestation statement format (WebAuthn L3 §8).
///
/// Each format is one type in one file. ``AttestationFormats`` lists the supported ones.
package protocol AttestationFormat: Sendable {
    /// The registered identifier, compared byte by byte.
    var identifier: String { get }

    func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult
}

/// The input for verifying a statement.
package struct AttestationInput: Sendable {
    package internal(set) var statement: CBOR.Value
    package let authenticatorData: AuthenticatorData
    /// The authenticator data as received; signatures cover exactly these bytes.
    package let authenticatorDataBytes: [UInt8]
    package let attested: AttestedCredentialData
    /// SHA-256 of the client data, 32 bytes.
    package let clientDataHash: [UInt8]
    /// The new credential's key; nil when it is malformed or of an unsupported algorithm.
    package let credentialPublicKey: COSE.PublicKey?
    /// The rules that the relying party adds to the format's own.
    package let rules: Set<AttestationRule>

    /// Authenticator data followed by the client data hash, which most formats sign.
    package var signedBytes: [UInt8] { authenticatorDataBytes + clientDataHash }

    /// The result of a statement about the credential's key, unless reasons speak against it or the key is unreadable.
    func certified(
        by path: [[UInt8]], unless reasons: [Reason], flags: [Reason], provesModel: Bool = true
    ) throws(AttestationRefusal) -> AttestationResult {
        guard reasons.isEmpty else { throw .failed(reasons) }
        guard credentialPublicKey != nil else { throw .keyNeeded }
        return .certified(path, flags: flags, provesModel: provesModel)
    }
}

/// The reason for refusing a statement.
package enum AttestationRefusal: Error, Hashable, Sendable {
    /// The statement is wrong, for at least one reason.
    case failed([Reason])
    /// The statement cannot be judged because the credential's key could not be read.
    case keyNeeded

    package var reasons: [Reason] {
        switch self {
        case .failed(let reasons): reasons
        case .keyNeeded: []
        }
    }
}

/// The attestation statement formats of a verifier.
package struct AttestationFormats: Sendable {
    private let formats: [any AttestationFormat]

    /// Creates a set of formats; the first of several with one identifier is used.
    package init(_ formats: [any AttestationFormat]) { self.formats = formats }

    /// Every format in this module.
    package static let standard = AttestationFormats(
        simple + [CompoundAttestation(formats: AttestationFormats(simple))])

    /// The formats allowed in a compound statement.
    private static let simple: [any AttestationFormat] = [
        NoneAttestation(), PackedAttestation(), TPMAttestation(), AndroidKeyAttestation(), AppleAttestation(),
        FIDOU2FAttestation(),
    ]

    /// The format with this identifier; case matters (WebAuthn L3 §7.1 step 21).
    package subscript(identifier: String) -> (any AttestationFormat)? {
        formats.first { isSameText($0.identifier, identifier) }
    }

    package var identifiers: [String] { formats.map(\.identifier) }
}
