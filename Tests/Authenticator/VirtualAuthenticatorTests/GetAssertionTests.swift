import CBOR
import COSE
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("GetAssertion")
struct GetAssertionTests {
    @Test(arguments: COSE.Algorithm.supported)
    func anAssertionVerifiesWithTheCredentialsPublicKey(algorithm: COSE.Algorithm) async throws {
        let bench = Bench { $0.algorithms = [algorithm] }
        for rk in [true, false] {
            let made = try await bench.make {
                $0.options["rk"] = rk
                $0.pubKeyCredParams = [PublicKeyCredentialParameters(algorithm: algorithm)]
            }.made()
            let key = try COSE.PublicKey(cbor: made.attested().credentialPublicKey)
            let got = try await bench.get { $0.allowList = [try made.descriptor()] }.got()
            #expect(key.algorithm == algorithm)
            #expect(key.verify(got.response.signature, over: got.response.authenticatorData + Bench.hash))
            #expect(try got.data().relyingPartyIDHash == made.data().relyingPartyIDHash)
            #expect(try got.flags() == [.userPresent])
            #expect(try got.id == made.id())
            // Only a discoverable credential knows its account.
            #expect(got.response.user == (rk ? PublicKeyCredentialUserEntity(id: [1]) : nil))
            #expect(got.response.numberOfCredentials == nil)
            #expect(got.response.userSelected == nil)
        }
    }

    /// A user handle has 1 to 64 bytes (WebAuthn L3 §5.4.3), so one without bytes is not returned (w3c/webauthn#1536).
    @Test(arguments: [[], [7], [UInt8](repeating: 7, count: 64)] as [[UInt8]])
    func aUserWithoutAnIDIsNotReturned(id: [UInt8]) async throws {
        let bench = Bench()
        let made = try await bench.make {
            $0.options["rk"] = true
            $0.user = PublicKeyCredentialUserEntity(id: id, name: "alice")
        }.made()
        for list in [nil, [try made.descriptor()]] {
            let got = try await bench.get { $0.allowList = list }.got()
            #expect(got.response.user == (id.isEmpty ? nil : PublicKeyCredentialUserEntity(id: id)))
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let told: Told
        let change: @Sendable (inout GetAssertionRequest) -> Void

        init(_ status: CTAPStatus, _ reason: String, _ change: @escaping @Sendable (inout GetAssertionRequest) -> Void)
        {
            told = Told(status, "getAssertion.\(reason)")
            self.change = change
        }

        var testDescription: String { told.testDescription }
    }

    @Test(arguments: [
        Refused(.invalidLength, "clientDataHashLength") { $0.clientDataHash.removeLast() },
        Refused(.unsupportedOption, "rkPresent") { $0.options["rk"] = true },
        Refused(.unsupportedOption, "rkPresent") { $0.options["rk"] = false },
        Refused(.invalidOption, "uvNotConfigured") { $0.options["uv"] = true },
        Refused(.missingParameter, "pinUvAuthProtocolMissing") { $0.pinUvAuthParam = [1] },
        Refused(.invalidParameter, "pinUvAuthProtocolUnsupported") {
            $0.pinUvAuthParam = [1]
            $0.pinUvAuthProtocol = 0
        },
        Refused(.pinAuthInvalid, "pinUvAuthParamInvalid") {
            $0.pinUvAuthParam = [1]
            $0.pinUvAuthProtocol = 1
        },
        Refused(.noCredentials, "noCredentials") { $0.relyingPartyID = "other.example" },
        Refused(.noCredentials, "noCredentials") { $0.allowList = [PublicKeyCredentialDescriptor(id: [1])] },
        Refused(.limitExceeded, "allowListTooLong") {
            $0.allowList = [PublicKeyCredentialDescriptor](repeating: PublicKeyCredentialDescriptor(id: [1]), count: 9)
        },
    ])
    func anInvalidMemberRefusesTheRequest(refused: Refused) async {
        let bench = Bench()
        await bench.make { $0.options["rk"] = true }
        let prompts = bench.person.presencePrompts
        #expect(await bench.get(refused.change).told == refused.told)
        #expect(bench.person.presencePrompts == prompts)
        #expect(await bench.get().told == .ok)
    }

    @Test func anAllowListOfMaximumLengthIsSearchedCompletely() async throws {
        let bench = Bench()
        let descriptor = try await bench.make().made().descriptor()
        let strangers = [PublicKeyCredentialDescriptor](repeating: PublicKeyCredentialDescriptor(id: [1]), count: 7)
        #expect(try await bench.get { $0.allowList = strangers + [descriptor] }.got().id == descriptor.id)
    }

    @Test func aDescriptorOfAnotherTypeIsSkipped() async throws {
        let bench = Bench()
        var descriptor = try await bench.make().made().descriptor()
        descriptor.type = "unheard-of"
        #expect(
            await bench.get { $0.allowList = [descriptor] }.told == Told(.noCredentials, "getAssertion.noCredentials"))
    }

    @Test func aSilentLookUpDoesNotAskTheUserAndSetsNoFlag() async throws {
        let bench = Bench()
        await bench.make { $0.options["rk"] = true }
        let prompts = bench.person.presencePrompts
        #expect(try await bench.get { $0.options["up"] = false }.got().flags() == [])
        #expect(bench.person.presencePrompts == prompts)
    }

    @Test func aDeclinedOrMissingTouchIsDenied() async {
        let bench = Bench { $0.userActionTimeout = .seconds(12) }
        await bench.make { $0.options["rk"] = true }
        bench.person.willAnswer([.declined, .noAnswer])
        #expect(await bench.get().told == Told(.operationDenied, "getAssertion.userDeclined"))
        let before = bench.clock.now()
        #expect(await bench.get().told == Told(.operationDenied, "getAssertion.userActionTimeout"))
        #expect(bench.clock.now() - before == .seconds(12))
    }

    @Test func aZeroLengthPinUvAuthParamAsksForATouchAndReportsWhetherAPINIsSet() async throws {
        let bench = Bench()
        let reason = "getAssertion.zeroLengthPinUvAuthParam"
        #expect(await bench.get { $0.pinUvAuthParam = [] }.told == Told(.pinNotSet, reason))
        try await bench.setPIN()
        #expect(await bench.get { $0.pinUvAuthParam = [] }.told == Told(.pinInvalid, reason))
        #expect(bench.person.presencePrompts == 2)
        bench.person.willAnswer([.declined])
        #expect(await bench.get { $0.pinUvAuthParam = [] }.told == Told(.operationDenied, "getAssertion.userDeclined"))
    }
}
