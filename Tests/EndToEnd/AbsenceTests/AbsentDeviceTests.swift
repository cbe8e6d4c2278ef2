import CBOR
import COSE
import CTAP
import DeviceProfiles
import Documents
import SimulatedDevice
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

@Suite("Devices and clients without the libraries of a trait")
struct AbsentDeviceTests {
    private static let random = SeededRandomSource(seed: 1)

    private static func device(_ profile: DeviceProfile) throws -> SimulatedDevice {
        try SimulatedDevice(
            profile: profile, time: SimulatedClock(), random: random, user: ConsentingUser(),
            signing: .deterministic)
    }

    private static func profile(_ algorithms: String) throws -> DeviceProfile {
        let root = try YAMLValue(
            json: """
                {"name": "own", "title": "A key", "platform": "security-key", "authenticator": {
                "aaguid": "01020304-0506-0708-0102-030405060708", "attachment": "cross-platform",
                "transports": ["usb"], "discoverable": "always", "versions": ["FIDO_2_0"], "algorithms": \(algorithms)}}
                """, file: "own.json")
        let inheritance = try ProfileInheritance(root) { extends throws(SourceError) in throw extends.error("none") }
        return try DeviceProfile(inheritance, text: root.json)
    }

    @Test(arguments: DeviceProfile.builtInNames)
    func getInfoListsTheBuildsAlgorithms(name: String) async throws {
        let profile = try DeviceProfile.builtIn(named: name)
        let supported = profile.authenticator.algorithms.filter(COSE.Algorithm.supported.contains)
        #expect(!supported.isEmpty)
        guard profile.authenticator.answersCTAP2 else { return }
        let info = try await Self.device(profile).authenticator.info()
        let listed = info.algorithms?.map(\.algorithm)
        #expect(listed == nil || listed == supported)
    }

    @Test func aProfileWithAbsentAlgorithmsAloneIsRefused() throws {
        let error = #expect(throws: SourceError.self) { try Self.profile(#"["RS256", "ES256K"]"#) }
        #expect(
            error?.description
                == "own.json:3:90: authenticator.algorithms: new RS256 keys need libcrypto, which this build does not have; add ES256"
        )
    }

    /// Also a device that asks for signatures that repeat.
    @Test func aKeyWithAbsentAlgorithmsSignsInWithTheOthers() async throws {
        let device = try Self.device(Self.profile(#"["ES256K", "RS256", "ES256"]"#))
        let client = device.client(over: device.ctap, pins: PINScript(), random: Self.random)
        let origin = try Origin(parsing: "https://example.com")
        func options(_ algorithms: [Int]) -> CreationOptions {
            CreationOptions(
                rp: RelyingPartyEntity(id: "example.com", name: "Example"),
                user: UserEntity(id: [1], name: "alice", displayName: "Alice"), challenge: Self.random.bytes(32),
                pubKeyCredParams: algorithms.map { CredentialParameters(alg: $0) })
        }
        let made = try await client.create(options([-47, -257, -7]), origin: origin)
        #expect(made.response.publicKeyAlgorithm == -7)
        let signedIn = try await client.get(
            RequestOptions(challenge: Self.random.bytes(32), rpId: "example.com"), origin: origin)
        #expect(!signedIn.response.signature.bytes.isEmpty)
        let error = await #expect(throws: WebAuthnClientError.self) {
            try await client.create(options([-47, -257]), origin: origin)
        }
        #expect(error?.domException == .notSupportedError)
    }

    /// An attestation key in a certificate, in a TPM, of Android and of U2F.
    @Test(arguments: ["yubikey-5-nfc-5.7", "windows-hello-face", "android-device-bound", "feitian-multipass-u2f"])
    func modelsAttest(name: String) async throws {
        let device = try Self.device(DeviceProfile.builtIn(named: name))
        let client = device.client(over: device.ctap, pins: PINScript(), random: Self.random)
        var options = CreationOptions(
            rp: RelyingPartyEntity(id: "example.com", name: "Example"),
            user: UserEntity(id: [1], name: "alice", displayName: "Alice"), challenge: Self.random.bytes(32),
            pubKeyCredParams: [CredentialParameters(alg: -7)])
        options.attestation = .direct
        let made = try await client.create(options, origin: Origin(parsing: "https://example.com"))
        let statement = try AttestationObject(parsing: made.response.attestationObject.bytes).statement
        guard case .map(let members) = statement, case .array(let path)? = members["x5c"] else {
            Issue.record("\(statement)")
            return
        }
        #expect(!path.isEmpty)
    }

    @Test func singleLabelsAreTheOnlyPublicSuffixes() throws {
        let shop = try Origin(parsing: "https://shop.co.uk")
        #expect(try shop.relyingPartyID(claiming: "co.uk") == "co.uk")
        #expect(throws: WebAuthnClientError.self) { try shop.relyingPartyID(claiming: "uk") }
    }
}
