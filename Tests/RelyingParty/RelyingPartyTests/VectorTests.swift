import CBOR
import COSE
import RelyingParty
import Testing
import WebAuthn

@Suite("The specification's test vectors")
struct VectorTests {
    /// The properties of a vector's registration.
    struct Expectation: Sendable, CustomTestStringConvertible {
        let name: String
        let format: String
        let kind: AttestationResult.Kind
        let algorithm: COSE.Algorithm

        var testDescription: String { name }

        init(_ name: String, _ format: String, _ kind: AttestationResult.Kind, _ algorithm: COSE.Algorithm = .es256) {
            self.name = name
            self.format = format
            self.kind = kind
            self.algorithm = algorithm
        }
    }

    static let table = [
        Expectation("none-es256", "none", .none),
        Expectation("none-es256-crossOrigin", "none", .none),
        Expectation("none-es256-topOrigin", "none", .none),
        Expectation("none-es256-long-credential-id", "none", .none),
        Expectation("packed-self-es256", "packed", .`self`),
        Expectation("packed-es256", "packed", .certified),
        Expectation("packed-es384", "packed", .certified, .es384),
        Expectation("packed-es512", "packed", .certified, .es512),
        Expectation("packed-rs256", "packed", .certified, .rs256),
        Expectation("packed-eddsa", "packed", .certified, .edDSA),
        Expectation("packed-ed448", "packed", .certified, .ed448),
        Expectation("tpm-es256", "tpm", .certified),
        Expectation("android-key-es256", "android-key", .certified),
        Expectation("apple-es256", "apple", .certified),
        Expectation("fido-u2f-es256", "fido-u2f", .certified),
    ]

    @Test func theTableNamesEveryVector() throws {
        #expect(try Vector.allNames() == Self.table.map(\.name).sorted())
        #expect(try Vector.allNames() == Vector.supported.sorted())
    }

    @Test("Every registration is accepted, and trusted where certified", arguments: table)
    func registration(_ expected: Expectation) async throws {
        let vector = try Vector.named(expected.name)
        let registration = vector.registration
        let clientData = try CollectedClientData(parsing: registration.bytes("clientDataJSON"))
        let id = try registration.bytes("credential_id")
        let response = RegistrationResponse(
            credentialID: id, authenticatorAttachment: nil,
            response: .init(
                clientDataJSON: try registration.bytes("clientDataJSON"),
                attestationObject: try registration.bytes("attestationObject")))
        let expectation = RegistrationExpectation(
            ceremony: Example.ceremony(challenge: try registration.bytes("challenge"), clientData: clientData),
            algorithms: [.es256, .es384, .es512, .edDSA, .rs256, .ed448], userHandle: Example.userHandle,
            completingUserHandle: Example.userHandle, attestation: try Example.attestation(), now: Example.now,
            owner: { _ in .unregistered })
        let verdict = await RegistrationVerifier().verify(response, expectation: expectation)
        #expect(verdict.ledger.failures == [])
        let credential = try verdict.get()
        #expect(credential.attestationFormat == expected.format)
        #expect(credential.attestation.kind == expected.kind)
        #expect(credential.record.id == id)
        #expect(try credential.record.aaguid.bytes == registration.bytes("aaguid"))
        #expect(credential.isAttestationTrusted == (credential.attestation.kind == .certified))
    }

    @Test("Every authentication is accepted", arguments: table)
    func authentication(_ expected: Expectation) throws {
        let vector = try Vector.named(expected.name)
        let authentication = vector.authentication
        let clientData = try CollectedClientData(parsing: authentication.bytes("clientDataJSON"))
        let registered = try AuthenticatorData(
            parsing: AttestationObject(parsing: vector.registration.bytes("attestationObject")).authenticatorData)
        let attested = try #require(registered.attestedCredentialData)
        #expect(try COSE.PublicKey(cbor: attested.credentialPublicKey).algorithm == expected.algorithm)
        let record = CredentialRecord(
            id: attested.credentialID, publicKey: CBOR.encode(attested.credentialPublicKey),
            signCount: registered.signCount, uvInitialized: false,
            backupEligible: registered.flags.contains(.backupEligible), backupState: false, aaguid: attested.aaguid,
            userHandle: Example.userHandle, relyingPartyID: Example.relyingPartyID)
        let response = AuthenticationResponse(
            credentialID: attested.credentialID, authenticatorAttachment: nil,
            response: .init(
                clientDataJSON: try authentication.bytes("clientDataJSON"),
                authenticatorData: try authentication.bytes("authenticatorData"),
                signature: try authentication.bytes("signature"), userHandle: Example.userHandle))
        let expectation = AuthenticationExpectation(
            ceremony: Example.ceremony(challenge: try authentication.bytes("challenge"), clientData: clientData),
            user: .unknown)
        let verdict = AuthenticationVerifier().verify(response, expectation: expectation) {
            $0 == record.id ? record : nil
        }
        #expect(verdict.ledger.failures == [])
        #expect(try verdict.get().id == attested.credentialID)
    }

    /// The vectors are signed according to RFC 6979, so their keys reproduce their signatures.
    @Test("Every signature is reproduced from its private key", arguments: table)
    func signatures(_ expected: Expectation) throws {
        let vector = try Vector.named(expected.name)
        let authentication = vector.authentication
        let credentialKey = try vector.credentialKey(expected.algorithm)
        let assertion = try credentialKey.sign(
            authentication.bytes("authenticatorData") + sha256(authentication.bytes("clientDataJSON")),
            mode: .deterministic)
        #expect(try assertion == authentication.bytes("signature"))

        let object = try AttestationObject(parsing: vector.registration.bytes("attestationObject"))
        let statement = try object.statement.asMap("attStmt")
        guard let signature = try statement["sig"]?.asBytes("sig") else { return }
        let parsed = try AuthenticatorData(parsing: object.authenticatorData)
        let clientDataHash = sha256(try vector.registration.bytes("clientDataJSON"))
        let signed =
            switch expected.format {
            case "tpm": try statement.required("certInfo", "certInfo").asBytes("certInfo")
            case "fido-u2f":
                [0x00] + parsed.relyingPartyIDHash + clientDataHash
                    + (parsed.attestedCredentialData?.credentialID ?? []) + credentialKey.publicKey.rawRepresentation
            default: object.authenticatorData + clientDataHash
            }
        let attestationKey =
            vector.registration.members["attestation_private_key"] == nil
            ? credentialKey
            : try COSE.PrivateKey(
                algorithm: .es256, rawRepresentation: vector.registration.bytes("attestation_private_key"))
        #expect(try attestationKey.sign(signed, mode: .deterministic) == signature)
    }
}
