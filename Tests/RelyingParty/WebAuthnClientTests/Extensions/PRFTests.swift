import CBOR
import CTAP
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

@testable import WebAuthnClient

/// prf over hmac-secret (WebAuthn L3 §10.1.4).
struct PRFTests {
    private static let inputs = PRFInputs(eval: PRFValues(first: [1], second: Array("two".utf8)))

    private static func withoutCreation(_ configuration: inout AuthenticatorConfiguration) {
        configuration.extensions.removeAll { $0 == .hmacSecretAtCreation }
    }

    // MARK: Refused inputs

    @Test(arguments: [[:], ["AQ": PRFValues(first: [])]] as [[String: PRFValues]])
    func createRefusesInputsByCredential(_ byCredential: [String: PRFValues]) async throws {
        let device = FakeAuthenticator([:])
        let client = client(device)
        var options = CreationOptions.test()
        options.extensions = ClientExtensionInputs(prf: PRFInputs(evalByCredential: byCredential))
        let error = await failure { [options] () async throws(WebAuthnClientError) in
            try await client.create(options, origin: VirtualBench.origin)
        }
        #expect(error?.domException == .notSupportedError)
        #expect(error?.reason == .prfEvalByCredential)
        #expect(await device.log.isEmpty)
    }

    @Test(
        arguments: [
            ("AQ", nil, .notSupportedError, .prfEvalByCredential), ("AQ", [], .notSupportedError, .prfEvalByCredential),
            ("!", [], .notSupportedError, .prfEvalByCredential), ("", [[1]], .syntaxError, .prfCredentialID),
            ("", [[]], .syntaxError, .prfCredentialID), ("AQ==", [[1]], .syntaxError, .prfCredentialID),
            ("A Q", [[1]], .syntaxError, .prfCredentialID), ("A", [[1]], .syntaxError, .prfCredentialID),
            ("Ag", [[1]], .syntaxError, .prfCredentialID),
        ] as [(String, [[UInt8]]?, DOMExceptionName, RefusalReason)])
    func getAcceptsInputsOnlyForAllowedIDs(
        _ row: (key: String, allow: [[UInt8]]?, name: DOMExceptionName, reason: RefusalReason)
    ) async throws {
        let device = FakeAuthenticator([:])
        await device.add([1])
        let client = client(device)
        var options = RequestOptions.test(allow: row.allow)
        options.extensions = ClientExtensionInputs(prf: PRFInputs(evalByCredential: [row.key: PRFValues(first: [])]))
        let error = await failure { [options] () async throws(WebAuthnClientError) in
            try await client.get(options, origin: VirtualBench.origin)
        }
        #expect(error?.domException == row.name)
        #expect(error?.reason == row.reason)
        #expect(await device.log.isEmpty)
    }

    @Test func anEmptyRecordOfInputsCountsAsAbsent() async throws {
        let device = FakeAuthenticator([:])
        await device.add([1])
        var options = RequestOptions.test()
        options.extensions = ClientExtensionInputs(prf: PRFInputs(evalByCredential: [:]))
        let response = try await client(device).get(options, origin: .test())
        #expect(response.clientExtensionResults == ClientExtensionResults(prf: PRFOutputs()))
    }

    // MARK: Salts

    @Test func anInputIsHashedAfterItsContext() {
        // SHA-256 of "WebAuthn PRF", a zero byte and "salt1", computed elsewhere.
        let expected = [UInt8](hex: "2a1990f9c9bbfe1bbf56abee2b5a0f59be5f633a35c2a5f07d85533eeecbdd3c")
        #expect(PRFExtension.salts(PRFValues(first: Array("salt1".utf8))) == [expected])
        let both = PRFExtension.salts(PRFValues(first: [], second: Array("salt1".utf8)))
        #expect(both.count == 2)
        #expect(both.last == expected)
    }

    // MARK: Results

    @Test("creation and sign-in give the same results", arguments: PINUVAuthProtocol.allCases, [true, false])
    func sameResults(_ pinProtocol: PINUVAuthProtocol, finger: Bool) async throws {
        let bench = try await VirtualBench(pin: !finger, finger: finger) {
            $0.pinUvAuthProtocols = [pinProtocol, .two]
        }
        let created = try await bench.create(ClientExtensionInputs(prf: Self.inputs))
        let prf = try #require(created.clientExtensionResults.prf)
        #expect(prf.enabled == true)
        let results = try #require(prf.results)
        let second = try #require(results.second)
        #expect(results.first.bytes.count == 32)
        #expect(second.bytes.count == 32)
        #expect(results.first != second)

        let id = created.credentialID
        let signedIn = try await bench.get(ClientExtensionInputs(prf: Self.inputs), allow: [id])
        #expect(signedIn.clientExtensionResults.prf == PRFOutputs(results: results))
        let swapped = PRFInputs(eval: PRFValues(first: Array("two".utf8), second: [1]))
        let other = try await bench.get(ClientExtensionInputs(prf: swapped))
        #expect(other.clientExtensionResults.prf?.results?.first == second)
        #expect(other.clientExtensionResults.prf?.results?.second == results.first)
        let single = PRFInputs(eval: PRFValues(first: [1]))
        let one = try await bench.get(ClientExtensionInputs(prf: single))
        #expect(one.clientExtensionResults.prf == PRFOutputs(results: PRFValues(first: results.first.bytes)))
    }

    @Test func theResultIsTheHMACSecretOfTheHashedSalt() async throws {
        let bench = try await VirtualBench()
        let id = try await bench.create().credentialID
        let prf = PRFInputs(eval: PRFValues(first: Array("salt1".utf8)))
        let response = try await bench.get(ClientExtensionInputs(prf: prf), allow: [id])

        let pins = bench.pins(.one)
        let token = try await pins.token(
            pin: VirtualBench.pin, permissions: .getAssertion, relyingPartyID: VirtualBench.relyingPartyID)
        let salt = [UInt8](hex: "2a1990f9c9bbfe1bbf56abee2b5a0f59be5f633a35c2a5f07d85533eeecbdd3c")
        let exchange = try await pins.hmacSecretExchange(salts: [salt])
        let hash = [UInt8](repeating: 0, count: 32)
        let assertion = try await bench.ctap.getAssertion(
            GetAssertionRequest(
                relyingPartyID: VirtualBench.relyingPartyID, clientDataHash: hash, allowList: [.init(id: id)],
                extensions: ["hmac-secret": exchange.input], pinUvAuthParam: token.authenticate(hash),
                pinUvAuthProtocol: 1))
        let output = try #require(AuthenticatorOutputs(assertion.authenticatorData).bytes(.hmacSecret))
        let result = try #require(response.clientExtensionResults.prf?.results?.first.bytes)
        #expect(exchange.outputs(output) == [result])
        // Incomplete outputs count as none.
        #expect(exchange.outputs(output + output) == nil)
        #expect(exchange.outputs([]) == nil)
    }

    @Test func aDeviceThatEvaluatesOnlyAtSignInStillEnablesPRF() async throws {
        let bench = try await VirtualBench(Self.withoutCreation)
        let created = try await bench.create(ClientExtensionInputs(prf: Self.inputs), residentKey: .discouraged)
        #expect(created.clientExtensionResults.prf == PRFOutputs(enabled: true))
        #expect(try created.outputs == ["hmac-secret": true])
        let signedIn = try await bench.get(ClientExtensionInputs(prf: Self.inputs), allow: [created.credentialID])
        #expect(signedIn.clientExtensionResults.prf?.results?.second != nil)
        #expect(signedIn.clientExtensionResults.prf?.enabled == nil)
    }

    @Test func aDeviceWithoutHMACSecretHasNoPRF() async throws {
        let bench = try await VirtualBench {
            $0.versions = ["FIDO_2_0"]
            $0.extensions = []
        }
        let created = try await bench.create(ClientExtensionInputs(prf: Self.inputs))
        #expect(created.clientExtensionResults.prf == PRFOutputs(enabled: false))
        let signedIn = try await bench.get(ClientExtensionInputs(prf: Self.inputs))
        #expect(signedIn.clientExtensionResults.prf == PRFOutputs())
    }

    // MARK: By credential

    @Test("each credential has its own inputs", arguments: [true, false])
    func byCredential(_ usesTokens: Bool) async throws {
        // Without tokens the device verifies in the request itself, and the client does not search the list first.
        let bench = try await VirtualBench(pin: false, finger: true) {
            guard !usesTokens else { return }
            $0.versions = ["FIDO_2_0"]
            $0.supportsPinUvAuthToken = false
        }
        let id = try await bench.create(ClientExtensionInputs(prf: PRFInputs())).credentialID
        let stranger: [UInt8] = [9, 9, 9]
        func first(_ inputs: PRFInputs, allow: [[UInt8]]) async throws -> [UInt8]? {
            try await bench.get(ClientExtensionInputs(prf: inputs), allow: allow).clientExtensionResults.prf?.results?
                .first.bytes
        }
        let own = try #require(try await first(PRFInputs(eval: PRFValues(first: [1])), allow: [id]))
        let general = try #require(try await first(PRFInputs(eval: PRFValues(first: [3])), allow: [id]))
        let both = PRFInputs(
            eval: PRFValues(first: [3]),
            evalByCredential: [
                Base64URL.encode(stranger): PRFValues(first: [2]), Base64URL.encode(id): PRFValues(first: [1]),
            ])
        #expect(try await first(both, allow: [stranger, id]) == own)
        let strangers = PRFInputs(
            eval: PRFValues(first: [3]), evalByCredential: [Base64URL.encode(stranger): PRFValues(first: [2])])
        #expect(try await first(strangers, allow: [stranger, id]) == general)
        let noneForIt = PRFInputs(evalByCredential: [Base64URL.encode(stranger): PRFValues(first: [2])])
        let response = try await bench.get(ClientExtensionInputs(prf: noneForIt), allow: [stranger, id])
        #expect(response.clientExtensionResults.prf == PRFOutputs())
    }

    @Test func aCredentialThatNoSearchFindsStillSignsIn() async throws {
        let bench = try await VirtualBench(pin: false, finger: true) {
            $0.versions = ["FIDO_2_0"]
            $0.supportsPinUvAuthToken = false
        }
        let extensions = ClientExtensionInputs(
            prf: PRFInputs(), credentialProtectionPolicy: .userVerificationRequired)
        let id = try await bench.create(extensions).credentialID
        let inputs = PRFInputs(
            eval: PRFValues(first: [3]), evalByCredential: [Base64URL.encode(id): PRFValues(first: [1])])
        let response = try await bench.get(ClientExtensionInputs(prf: inputs), allow: [[9], id])
        #expect(response.rawId.bytes == id)
        #expect(response.clientExtensionResults.prf == PRFOutputs())
        let alone = try await bench.get(ClientExtensionInputs(prf: inputs), allow: [id])
        #expect(alone.clientExtensionResults.prf?.results != nil)
    }

    @Test func theSaltsOfOneCandidateAreNotUsedForAnother() {
        let inputs = PRFInputs(eval: PRFValues(first: [3]), evalByCredential: ["AQ": PRFValues(first: [1])])
        #expect(PRFExtension.values(inputs, allowList: [.init(id: [1])]) == PRFValues(first: [1]))
        #expect(PRFExtension.values(inputs, allowList: [.init(id: [2])]) == PRFValues(first: [3]))
        #expect(PRFExtension.values(inputs, allowList: []) == PRFValues(first: [3]))
        #expect(PRFExtension.values(inputs, allowList: [.init(id: [1]), .init(id: [2])]) == nil)
        #expect(PRFExtension.values(inputs, allowList: [.init(id: [3]), .init(id: [2])]) == PRFValues(first: [3]))
    }

    @Test(arguments: [0, 1])
    func theResultsBelongToTheChosenAccount(_ choice: Int) async throws {
        let bench = try await VirtualBench(choosing: choice)
        var results: [[UInt8]: PRFValues] = [:]
        for user in [[1], [2]] as [[UInt8]] {
            let created = try await bench.create(ClientExtensionInputs(prf: Self.inputs), user: user)
            results[created.credentialID] = created.clientExtensionResults.prf?.results
        }
        #expect(Set(results.values).count == 2)
        let response = try await bench.get(ClientExtensionInputs(prf: Self.inputs))
        let expected = try #require(results[response.rawId.bytes])
        #expect(response.clientExtensionResults.prf == PRFOutputs(results: expected))
    }

    // MARK: User verification

    @Test func theResultsAreAlwaysThoseOfAVerifiedUser() async throws {
        let bench = try await VirtualBench()
        let extensions = ClientExtensionInputs(prf: Self.inputs)
        let created = try await bench.create(extensions, residentKey: .discouraged, userVerification: .discouraged)
        let results = try #require(created.clientExtensionResults.prf?.results)
        let id = created.credentialID
        let verified = try await bench.get(extensions, allow: [id])
        #expect(verified.clientExtensionResults.prf?.results == results)
        let discouraged = try await bench.get(extensions, allow: [id], userVerification: .discouraged)
        #expect(discouraged.flags.contains(.userVerified))
        #expect(discouraged.clientExtensionResults.prf?.results == results)
        // A sign-in without prf needs only a touch.
        let touch = try await bench.get(allow: [id], userVerification: .discouraged)
        #expect(!touch.flags.contains(.userVerified))
    }

    @Test func aDeviceThatCannotVerifyEvaluatesNothing() async throws {
        let bench = try await VirtualBench(pin: false)
        let extensions = ClientExtensionInputs(prf: Self.inputs)
        let created = try await bench.create(extensions, userVerification: .discouraged)
        #expect(created.clientExtensionResults.prf == PRFOutputs(enabled: true))
        let response = try await bench.get(extensions, userVerification: .discouraged)
        #expect(response.clientExtensionResults.prf == PRFOutputs())
    }
}
