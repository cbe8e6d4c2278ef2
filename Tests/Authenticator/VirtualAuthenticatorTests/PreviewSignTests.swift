import CBOR
import COSE
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

/// Draft 4 of the extension (yubicolabs.github.io/webauthn-sign-extension).
@Suite("previewSign")
struct PreviewSignTests {
    private static let data = Array("data to be signed".utf8)

    private static func key(_ made: Made) throws -> COSE.PublicKey {
        try COSE.PublicKey(cbor: made.attested().credentialPublicKey)
    }

    private static func bench() -> Bench { Bench { $0.extensions = [.previewSign] } }

    private static func make(
        _ bench: Bench, _ input: CBOR.Value, user: UInt8 = 1
    ) async throws -> (made: Made, handle: [UInt8], key: COSE.PublicKey, data: AuthenticatorData) {
        let made = try await bench.make {
            $0.user.id = [user]
            $0.extensions = ["previewSign": input]
        }.made()
        let output = try #require(made.response.unsignedExtensionOutputs?["previewSign"]).asMap("output")
        let object = try CBOR.decode(output.required(7, "att-obj").asBytes("att-obj"))
        let attestation = try MakeCredentialResponse(cbor: object)
        let data = try AuthenticatorData(parsing: attestation.authenticatorData)
        let attested = try #require(data.attestedCredentialData)
        return (made, attested.credentialID, try COSE.PublicKey(cbor: attested.credentialPublicKey), data)
    }

    private static func sign(
        _ bench: Bench, _ handle: [UInt8], with made: Made, up: Bool? = nil
    ) async throws -> Answer {
        let descriptor = try made.descriptor()
        return await bench.get {
            $0.allowList = [descriptor]
            if let up { $0.options["up"] = up }
            $0.extensions = ["previewSign": [2: .bytes(handle), 6: .bytes(data)]]
        }
    }

    @Test func aSigningKeySignsDataUnderItsHandle() async throws {
        let bench = Self.bench()
        let (made, handle, key, data) = try await Self.make(bench, [3: [-65535, -8, -7], 4: 1])
        #expect(try made.data().extensions?["previewSign"] == [3: -8])
        #expect(data.extensions?["previewSign"] == [4: 1])
        #expect(data.signCount == 0)
        #expect(key.algorithm == .edDSA)
        #expect(try key.rawRepresentation != Self.key(made).rawRepresentation)
        let got = try await Self.sign(bench, handle, with: made).got()
        let output = try #require(try got.data().extensions?["previewSign"]).asMap("output")
        #expect(key.verify(try output.required(6, "sig").asBytes("sig"), over: Self.data))
        // The assertion itself is signed with the credential's key.
        #expect(try Self.key(made).verify(got.response.signature, over: got.response.authenticatorData + Bench.hash))
    }

    @Test func aHandleOpensForItsCredentialUntilAReset() async throws {
        let bench = Self.bench()
        let first = try await Self.make(bench, [3: [-7]])
        let second = try await Self.make(bench, [3: [-7]], user: 2)
        let refused = Told(.invalidCredential, "previewSign.noSuchCredential")
        #expect(try await Self.sign(bench, second.handle, with: first.made).told == refused)
        #expect(try await Self.sign(bench, [1, 2, 3], with: first.made).told == refused)
        #expect(try await Self.sign(bench, first.handle, with: first.made).told == .ok)
        #expect(await bench.send(.reset).told == .ok)
        #expect(try await Self.sign(bench, first.handle, with: first.made).told.status == .noCredentials)
    }

    @Test(arguments: [(0, CTAPStatus.ok, CTAPStatus.ok), (1, .upRequired, .ok), (5, .puatRequired, .puatRequired)])
    func theFlagsSayWhatASignatureNeeds(flags: Int, silent: CTAPStatus, touched: CTAPStatus) async throws {
        let bench = Self.bench()
        let (made, handle, _, _) = try await Self.make(bench, [3: [-7], 4: .integer(flags)])
        #expect(try await Self.sign(bench, handle, with: made, up: false).told.status == silent)
        #expect(try await Self.sign(bench, handle, with: made).told.status == touched)
    }

    @Test func invalidInputsAreRefused() async throws {
        let bench = Self.bench()
        let cases: [(CBOR.Value, CTAPStatus)] = [
            ([3: [-7], 4: 4], .invalidOption), ([3: [-257, 999]], .unsupportedAlgorithm),
            ([4: 1], .missingParameter), ([3: -7], .cborUnexpectedType), (true, .cborUnexpectedType),
        ]
        for (input, status) in cases {
            #expect(await bench.make { $0.extensions = ["previewSign": input] }.told.status == status)
        }
    }

    /// The statuses that python-fido2's authors expect.
    @Test func aSignatureNeedsAnAllowListAndBothMembers() async throws {
        let bench = Self.bench()
        let (made, handle, _, _) = try await Self.make(bench, [3: [-7]])
        let descriptor = try made.descriptor()
        let whole: CBOR.Value = [2: .bytes(handle), 6: .bytes(Self.data)]
        let cases: [(CBOR.Value, [PublicKeyCredentialDescriptor]?, CTAPStatus)] = [
            (whole, nil, .invalidOption), (whole, [], .invalidOption), (whole, [descriptor], .ok),
            ([2: .bytes(handle)], [descriptor], .invalidOption), ([6: .bytes(Self.data)], [descriptor], .invalidOption),
            ([:], [descriptor], .invalidOption), ([2: "kh", 6: .bytes(Self.data)], [descriptor], .cborUnexpectedType),
        ]
        for (input, list, status) in cases {
            let answer = await bench.get {
                $0.allowList = list
                $0.extensions = ["previewSign": input]
            }
            #expect(answer.told.status == status, "\(input) \(String(describing: list))")
        }
    }

    @Test func aDeviceWithoutTheExtensionIgnoresIt() async throws {
        let made = try await Bench().make { $0.extensions = ["previewSign": [3: [-7]]] }.made()
        #expect(made.response.unsignedExtensionOutputs == nil)
        #expect(try made.data().extensions == nil)
    }
}
