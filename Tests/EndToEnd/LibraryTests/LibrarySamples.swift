import Attestation
import CBOR
import COSE
import CTAP
import RelyingParty
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// The samples of docs/libraries.md, docs/attestation.md and the DocC catalogues.
///
/// SampleTests compares them with the pages.
@Suite("Samples of the libraries")
struct LibrarySamples {
    @Test func aVirtualKeyRegistersAndSignsIn() async throws {
        // A key on a simulated clock, whose user touches it at once.
        let clock = SimulatedClock()
        let random = SeededRandomSource(seed: 1)
        let key = VirtualAuthenticator(
            configuration: AuthenticatorConfiguration(),
            environment: Environment(time: clock, random: random, user: ScriptedUser(clock: clock)))
        let client = WebAuthnClient(
            device: key, attachment: .crossPlatform,
            environment: ClientEnvironment(randomBytes: random.bytes, now: clock.now))
        let origin = try Origin(parsing: "https://example.com")
        let alice = random.bytes(16)

        func ceremony(_ challenge: [UInt8]) -> CeremonyExpectation {
            CeremonyExpectation(
                relyingPartyID: "example.com", challenge: challenge, challengeState: .current,
                origins: ["https://example.com"], userVerification: .discouraged)
        }

        // Registration: options, response, verdict.
        let creation = CreationOptions(
            rp: RelyingPartyEntity(id: "example.com", name: "Example"),
            user: UserEntity(id: alice, name: "alice", displayName: "Alice"), challenge: random.bytes(32),
            pubKeyCredParams: [CredentialParameters(alg: -7)])
        let registered = try await client.create(creation, origin: origin)
        let expectation = RegistrationExpectation(
            ceremony: ceremony(creation.challenge.bytes), algorithms: [.es256], userHandle: alice,
            completingUserHandle: alice, now: clock.now(), owner: { _ in .unregistered })
        let credential = try await RegistrationVerifier().verify(registered, expectation: expectation).get()

        // Sign-in.
        let request = RequestOptions(
            challenge: random.bytes(32), rpId: "example.com",
            allowCredentials: [CredentialDescriptor(id: credential.record.id)])
        let signedIn = try await client.get(request, origin: origin)
        let verdict = AuthenticationVerifier().verify(
            signedIn,
            expectation: AuthenticationExpectation(
                ceremony: ceremony(request.challenge.bytes), allowedCredentials: [credential.record.id],
                user: .known(alice)),
            storedCredential: { $0 == credential.record.id ? credential.record : nil })
        #expect(verdict.ledger.isAccepted)

        // A response for another challenge is refused; the ledger, the list of the verifier's steps, names the failed one.
        let replayed = AuthenticationVerifier().verify(
            signedIn, expectation: AuthenticationExpectation(ceremony: ceremony(random.bytes(32)), user: .known(alice)),
            storedCredential: { _ in credential.record })
        #expect(replayed.ledger.firstFailure != nil)
    }

    @Test func theAuthenticatorOnASimulatedClock() async throws {
        let clock = SimulatedClock()
        let user = ScriptedUser(clock: clock)
        let authenticator = VirtualAuthenticator(
            configuration: AuthenticatorConfiguration(),
            environment: Environment(time: clock, random: SeededRandomSource(seed: 1), user: user))
        user.willAnswer([.noAnswer])
        let answer = try await authenticator.transceive([0x0B])  // selection: 0x2F after 30 simulated seconds
        #expect(answer == [0x2F])
    }

    @Test func cbor() throws {
        let value = try CBOR.decode([0xA1, 0x01, 0x02])
        let bytes = CBOR.encode(value)
        #expect(bytes == [0xA1, 0x01, 0x02])
    }

    @Test func attestationWithTheTestRoot() async throws {
        let now = Duration.seconds(1_767_225_600)
        var expectation = RegistrationExpectation(
            ceremony: CeremonyExpectation(
                relyingPartyID: "example.com", challenge: [], challengeState: .current, origins: [],
                userVerification: .discouraged),
            algorithms: [], userHandle: [], completingUserHandle: nil, now: .zero, owner: { _ in .unregistered })
        let root = try AttestationAuthority().rootCertificate
        expectation.attestation = AttestationPolicy(
            acceptsNone: false, acceptsSelf: false, trustAnchors: TrustAnchors(forAllModels: [root]))
        expectation.now = now  // the moment at which certificates must be valid; an expectation always has one
        #expect(expectation.attestation.trustAnchors?.forAllModels == [root])
        #expect(expectation.now == now)
    }

    @Test func aMetadataStatement() async throws {
        let clock = SimulatedClock()
        let key = VirtualAuthenticator(
            configuration: AuthenticatorConfiguration(),
            environment: Environment(time: clock, random: SeededRandomSource(seed: 1), user: ScriptedUser(clock: clock))
        )
        let answer = try await key.transceive([0x04])
        guard case .map(let getInfo) = try CBOR.decode(Array(answer.dropFirst())) else {
            Issue.record("getInfo is not a map")
            return
        }
        let aaguid = AuthenticatorConfiguration().aaguid
        let statement = MetadataStatement(
            .model(aaguid), description: "A simulated key", versions: MetadataStatement.versions(of: ["FIDO_2_1"]),
            algorithms: [.es256], attestation: [.packedBasic], userVerification: [[.init(.externalPasscode)]],
            attachment: [.external, .wired], rootCertificates: [try AttestationAuthority().rootCertificate],
            authenticatorGetInfo: .authenticatorGetInfo(getInfo))
        print(try statement.json)
        #expect(try statement.json.contains("A simulated key"))
    }
}
