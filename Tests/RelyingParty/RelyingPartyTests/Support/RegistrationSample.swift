import CBOR
import COSE
import RelyingParty
import Testing
import WebAuthn

/// A registration's response in parts, so that one part can be changed and everything that covers it signed anew.
struct RegistrationSample {
    /// A kind of attestation.
    enum Kind: Hashable, CaseIterable {
        case none, selfSigned, certified, tpm, androidKey, apple, fidoU2F
    }

    let kind: Kind
    let credentialKey: COSE.PrivateKey
    var clientData: CollectedClientData
    /// Replaces the serialised client data.
    var rawClientData: [UInt8]?
    var authenticatorData: AuthenticatorData
    /// Replaces the serialised authenticator data.
    var rawAuthenticatorData: [UInt8]?
    var format: String
    var statementAlgorithm: COSE.Algorithm
    var statementKey: COSE.PrivateKey
    /// Signs the statement instead of ``statementKey``.
    var signMessage: (([UInt8]) throws -> [UInt8])?
    /// The certificate path, without ``leaf`` if it is set.
    var certificates: [[UInt8]]
    /// The first certificate, if it can be made only after the parts it covers.
    var leaf: CertificateForm?
    var tpm = TPMForm()
    var androidKey: AndroidKeyForm? = AndroidKeyForm()
    var apple: AppleForm? = AppleForm()
    var editSignature: ([UInt8]) throws -> [UInt8] = { $0 }
    var editStatement: (inout CBOR.Map) -> Void = { _ in }
    /// Wraps the whole statement.
    var wrapStatement: (CBOR.Value) throws -> CBOR.Value = { $0 }
    /// Replaces the serialised attestation object.
    var rawAttestationObject: (AttestationObject) -> [UInt8] = { $0.encoded }
    var editResponse: (inout RegistrationResponse) -> Void = { _ in }
    var expectation: RegistrationExpectation

    init(_ vector: Vector) throws {
        let registration = vector.registration
        let object = try AttestationObject(parsing: registration.bytes("attestationObject"))
        clientData = try CollectedClientData(parsing: registration.bytes("clientDataJSON"))
        authenticatorData = try AuthenticatorData(parsing: object.authenticatorData)
        let attested = try #require(authenticatorData.attestedCredentialData)
        let publicKey = try COSE.PublicKey(cbor: attested.credentialPublicKey)
        credentialKey = try vector.credentialKey(publicKey.algorithm)
        format = object.format
        let statement = try object.statement.asMap("attStmt")
        certificates = try statement["x5c"]?.asArray("x5c").map { try $0.asBytes("x5c") } ?? []
        kind =
            switch object.format {
            case "tpm": .tpm
            case "android-key": .androidKey
            case "apple": .apple
            case "fido-u2f": .fidoU2F
            default: statement.isEmpty ? .none : certificates.isEmpty ? .selfSigned : .certified
            }
        switch kind {
        case .certified, .tpm, .fidoU2F:
            statementAlgorithm = .es256
            statementKey = try COSE.PrivateKey(
                algorithm: .es256, rawRepresentation: registration.bytes("attestation_private_key"))
        case .none, .selfSigned, .androidKey, .apple:
            statementAlgorithm = publicKey.algorithm
            statementKey = credentialKey
        }
        expectation = RegistrationExpectation(
            ceremony: Example.ceremony(challenge: try registration.bytes("challenge"), clientData: clientData),
            algorithms: [.es256, .es384, .es512, .edDSA, .ed448, .rs256], userHandle: Example.userHandle,
            completingUserHandle: Example.userHandle, attestation: try Example.attestation(), now: Example.now,
            owner: { _ in .unregistered })
        if kind == .apple || kind == .androidKey {
            certificates = []
            leaf = try form()
        }
    }

    var clientDataJSON: [UInt8] { rawClientData ?? clientData.encoded }
    var authenticatorDataBytes: [UInt8] { rawAuthenticatorData ?? authenticatorData.encoded }

    /// Changes the new credential's key, as CBOR.
    mutating func editKey(_ edit: (inout CBOR.Map) -> Void) throws {
        var map = try #require(authenticatorData.attestedCredentialData).credentialPublicKey.asMap("key")
        edit(&map)
        authenticatorData.attestedCredentialData?.credentialPublicKey = .map(map)
    }

    /// Replaces the leaf certificate by another one with the same key.
    mutating func certify(_ edit: (inout CertificateForm) throws -> Void) throws {
        var form = try form()
        try edit(&form)
        if leaf != nil {
            leaf = form
        } else {
            certificates = [try form.issue()]
        }
    }

    /// Presents exactly these certificates.
    mutating func present(_ path: [[UInt8]]) {
        leaf = nil
        certificates = path
    }

    /// A leaf that meets the format's rules.
    private func form() throws -> CertificateForm {
        var form = try CertificateForm(
            attestationKey: kind == .apple || kind == .androidKey ? credentialKey : statementKey)
        if kind == .tpm { form.becomeTPM() }
        return form
    }

    func response() throws -> RegistrationResponse {
        let object = AttestationObject(
            format: format, statement: try statement(), authenticatorData: authenticatorDataBytes)
        var response = RegistrationResponse(
            credentialID: authenticatorData.attestedCredentialData?.credentialID ?? [],
            authenticatorAttachment: nil,
            response: .init(
                clientDataJSON: clientDataJSON, attestationObject: rawAttestationObject(object),
                transports: [.internal, .hybrid]))
        editResponse(&response)
        return response
    }

    func verdict() async throws -> RegistrationVerdict {
        await RegistrationVerifier().verify(try response(), expectation: expectation)
    }
}
