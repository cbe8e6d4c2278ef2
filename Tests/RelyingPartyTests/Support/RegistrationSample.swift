import CBOR
import COSE
import RelyingParty
import Testing
import WebAuthn

/// A registration's response taken apart, so that one thing can be changed and everything that covers it signed anew.
struct RegistrationSample {
    /// How a response is attested.
    enum Kind: Hashable {
        case none, selfSigned, certified
    }

    let kind: Kind
    let credentialKey: COSE.PrivateKey
    var clientData: CollectedClientData
    /// Stands in for the serialised client data.
    var rawClientData: [UInt8]?
    var authenticatorData: AuthenticatorData
    /// Stands in for the serialised authenticator data.
    var rawAuthenticatorData: [UInt8]?
    var format: String
    var statementAlgorithm: COSE.Algorithm
    var statementKey: COSE.PrivateKey
    var certificates: [[UInt8]]
    var editSignature: ([UInt8]) throws -> [UInt8] = { $0 }
    var editStatement: (inout CBOR.Map) -> Void = { _ in }
    /// Stands in for the serialised attestation object.
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
        if let x5c = statement["x5c"] {
            kind = .certified
            certificates = try x5c.asArray("x5c").map { try $0.asBytes("x5c") }
            statementAlgorithm = .es256
            statementKey = try COSE.PrivateKey(
                algorithm: .es256, rawRepresentation: registration.bytes("attestation_private_key"))
        } else {
            kind = statement.isEmpty ? .none : .selfSigned
            certificates = []
            statementAlgorithm = publicKey.algorithm
            statementKey = credentialKey
        }
        expectation = RegistrationExpectation(
            ceremony: Example.ceremony(challenge: try registration.bytes("challenge"), clientData: clientData),
            algorithms: [.es256, .es384, .es512, .edDSA], userHandle: Example.userHandle,
            completingUserHandle: Example.userHandle, attestation: try Example.attestation(), owner: { _ in .nobody })
    }

    var clientDataJSON: [UInt8] { rawClientData ?? clientData.encoded }
    var authenticatorDataBytes: [UInt8] { rawAuthenticatorData ?? authenticatorData.encoded }

    /// Changes the new credential's key, as CBOR.
    mutating func editKey(_ edit: (inout CBOR.Map) -> Void) throws {
        var map = try #require(authenticatorData.attestedCredentialData).credentialPublicKey.asMap("key")
        edit(&map)
        authenticatorData.attestedCredentialData?.credentialPublicKey = .map(map)
    }

    /// Puts the leaf certificate's place in another one's hands, with the same key.
    mutating func certify(_ edit: (inout CertificateForm) throws -> Void) throws {
        var form = try CertificateForm(attestationKey: statementKey)
        try edit(&form)
        certificates = [try form.issue()]
    }

    func statement() throws -> CBOR.Value {
        var map: CBOR.Map = [:]
        if kind != .none {
            let signed = authenticatorDataBytes + sha256(clientDataJSON)
            map["alg"] = .integer(statementAlgorithm.rawValue)
            map["sig"] = .bytes(try editSignature(try statementKey.sign(signed)))
            if !certificates.isEmpty { map["x5c"] = .array(certificates.map { .bytes($0) }) }
        }
        editStatement(&map)
        return .map(map)
    }

    func response() throws -> RegistrationResponse {
        let object = AttestationObject(
            format: format, statement: try statement(), authenticatorData: authenticatorDataBytes)
        var response = RegistrationResponse(
            credentialID: authenticatorData.attestedCredentialData?.credentialID ?? [],
            authenticatorAttachment: nil,
            response: .init(
                clientDataJSON: clientDataJSON, attestationObject: rawAttestationObject(object),
                transports: ["internal", "hybrid"]))
        editResponse(&response)
        return response
    }

    func verdict() async throws -> RegistrationVerdict {
        await RegistrationVerifier().verify(try response(), expectation: expectation)
    }
}
