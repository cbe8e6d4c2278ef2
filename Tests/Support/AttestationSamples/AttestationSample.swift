public import Attestation
internal import CBOR
public import COSE
internal import Crypto
public import WebAuthn

/// An attested registration with a known key and a known challenge.
public struct AttestationSample: Sendable {
    /// The relying party of every sample.
    public static let relyingPartyID = "example.org"
    /// The origin of every sample.
    public static let origin = "https://example.org"
    /// The model of every sample but those of `fido-u2f`, whose authenticators have none.
    public static let model = AAGUID("f1d0f1d0-0000-4000-8000-00000000a77e") ?? .zero

    /// The challenge of the registration.
    public let challenge: [UInt8]
    /// The ID of the registered credential.
    public let credentialID: [UInt8]
    /// The serialized client data.
    public let clientDataJSON: [UInt8]
    /// The SHA-256 hash of the client data.
    public let clientDataHash: [UInt8]
    /// The authenticator's model in the authenticator data.
    public let aaguid: AAGUID
    /// The attestation object.
    public let object: AttestationObject

    /// A sample of a kind.
    ///
    /// - Parameters:
    ///   - kind: The kind of the statement.
    ///   - algorithm: The credential's algorithm.
    ///   - statedAlgorithm: The algorithm that the credential's key states; nil for its own. A TPM may certify a key for RS1.
    ///   - challenge: The challenge of the registration; nil for the usual one.
    ///   - flaw: The flaw of the statement, if any.
    ///   - authority: The authority that certifies the model.
    ///   - edit: Changes the maker before it makes the statement.
    public init(
        _ kind: AttestationKind, algorithm: COSE.Algorithm = .es256, statedAlgorithm: COSE.Algorithm? = nil,
        challenge: [UInt8]? = nil, flaw: AttestationFlaw? = nil, authority: AttestationAuthority,
        edit: (inout AttestationMaker) -> Void = { _ in }
    ) throws {
        self.challenge = challenge ?? Array("a challenge of at least 16 bytes".utf8)
        credentialID = Array("the credential \(algorithm.rawValue)".utf8)
        aaguid = kind == .fidoU2F ? .zero : Self.model
        clientDataJSON =
            CollectedClientData(
                type: CollectedClientData.createType, challenge: self.challenge, origin: Self.origin,
                crossOrigin: false
            ).encoded
        clientDataHash = Array(SHA256.hash(data: clientDataJSON))
        let key = try SampleKeys.key(algorithm)
        var publicKey = key.publicKey.cbor
        if let statedAlgorithm, case .map(var map) = publicKey {
            map[3] = .integer(statedAlgorithm.rawValue)
            publicKey = .map(map)
        }
        let relyingPartyIDHash = Array(SHA256.hash(data: Array(Self.relyingPartyID.utf8)))
        let authenticatorData = AuthenticatorData(
            relyingPartyIDHash: relyingPartyIDHash, flags: [.userPresent, .userVerified], signCount: 1,
            attestedCredentialData: AttestedCredentialData(
                aaguid: aaguid, credentialID: credentialID, credentialPublicKey: publicKey)
        ).encoded
        var maker = try AttestationMaker(authority: authority, model: aaguid, signing: .deterministic)
        maker.flaw = flaw
        edit(&maker)
        let statement = try maker.statement(
            kind,
            about: AttestationSubject(
                authenticatorData: authenticatorData, clientDataHash: clientDataHash,
                relyingPartyIDHash: relyingPartyIDHash, credentialID: credentialID, privateKey: key))
        object = AttestationObject(
            format: statement.format, statement: statement.value, authenticatorData: authenticatorData)
    }

    /// The certificates of `x5c` in DER; those of the last statement of a compound one.
    public var certificates: [[UInt8]] {
        get throws {
            var statement = object.statement
            if case .array(let parts) = statement, let last = parts.last {
                statement = try last.asMap("part").required("attStmt", "attStmt")
            }
            return try statement.asMap("attStmt")["x5c"]?.asArray("x5c").map { try $0.asBytes("x5c") } ?? []
        }
    }
}
