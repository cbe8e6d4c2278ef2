import CBOR
import COSE
import CTAP
import Testing
import WebAuthn

@Suite("Responses")
struct ResponseTests {
    @Test func makeCredentialResponsesRoundTrip() throws {
        let full = MakeCredentialResponse(
            format: "packed", authenticatorData: [1, 2], attestationStatement: ["alg": -7], enterpriseAttestation: true,
            largeBlobKey: [3], unsignedExtensionOutputs: ["a": 1])
        let minimal = MakeCredentialResponse(format: "none", authenticatorData: [1], attestationStatement: [:])
        for response in [full, minimal] {
            let bytes = CBOR.encode(response.cbor)
            #expect(try MakeCredentialResponse(cbor: CBOR.decode(bytes)) == response)
        }
    }

    @Test func getAssertionResponsesRoundTrip() throws {
        let full = GetAssertionResponse(
            credential: PublicKeyCredentialDescriptor(id: [1]), authenticatorData: [2], signature: [3],
            user: PublicKeyCredentialUserEntity(id: [4], name: "ada", displayName: "Ada"), numberOfCredentials: 2,
            userSelected: true, largeBlobKey: [5], unsignedExtensionOutputs: ["a": true])
        let minimal = GetAssertionResponse(credential: nil, authenticatorData: [2], signature: [3])
        for response in [full, minimal] {
            #expect(try GetAssertionResponse(cbor: CBOR.decode(CBOR.encode(response.cbor))) == response)
        }
    }

    @Test func clientPINResponsesRoundTrip() throws {
        let full = ClientPINResponse(
            keyAgreement: [1: 2], pinUvAuthToken: [1], pinRetries: 8, powerCycleState: true, uvRetries: 3)
        #expect(try ClientPINResponse(cbor: CBOR.decode(CBOR.encode(full.cbor ?? [:]))) == full)
        #expect(ClientPINResponse().cbor == nil)
    }

    @Test func answersThatLackARequiredMemberAreNotRead() {
        #expect(throws: CBOR.AccessError.self) { try MakeCredentialResponse(cbor: [1: "none"]) }
        #expect(throws: CBOR.AccessError.self) { try GetAssertionResponse(cbor: [2: .bytes([1])]) }
        #expect(throws: CBOR.AccessError.self) { try ClientPINResponse(cbor: [3: "8"]) }
    }

    static var fullInfo: AuthenticatorInfo {
        var info = AuthenticatorInfo(versions: ["FIDO_2_0"], aaguid: AAGUID.zero)
        info.extensions = ["credProtect"]
        info.options = ["rk": true, "clientPin": false]
        info.maxMsgSize = 1200
        info.pinUvAuthProtocols = [2, 1]
        info.maxCredentialCountInList = 8
        info.maxCredentialIdLength = 128
        info.transports = [.usb]
        info.algorithms = [PublicKeyCredentialParameters(algorithm: .es256)]
        info.maxSerializedLargeBlobArray = 1024
        info.forcePINChange = true
        info.minPINLength = 6
        info.firmwareVersion = 7
        info.maxCredBlobLength = 32
        info.maxRPIDsForSetMinPINLength = 1
        info.preferredPlatformUvAttempts = 3
        info.uvModality = 2
        info.certifications = ["FIDO": 1]
        info.remainingDiscoverableCredentials = 25
        info.vendorPrototypeConfigCommands = [1]
        info.attestationFormats = ["packed"]
        info.uvCountSinceLastPinEntry = 1
        info.longTouchForReset = true
        info.encIdentifier = [1]
        info.transportsForReset = [.usb]
        info.pinComplexityPolicy = true
        info.pinComplexityPolicyURL = [2]
        info.maxPINLength = 63
        info.encCredStoreState = [3]
        info.authenticatorConfigCommands = [1, 2]
        return info
    }

    @Test func getInfoHasExactlyTheMembersOfTheSpecificationUnderTheirKeys() throws {
        let info = Self.fullInfo
        let decoded = try CBOR.decode(CBOR.encode(info.cbor))
        #expect(try decoded.asMap("getInfo").keys == (1...0x1F).map { CBOR.Value.integer($0) })
        #expect(try AuthenticatorInfo(cbor: decoded) == info)
        let minimal = AuthenticatorInfo(versions: ["U2F_V2"], aaguid: .zero)
        #expect(try AuthenticatorInfo(cbor: minimal.cbor) == minimal)
    }

    @Test(arguments: 1...0x1F)
    func aMemberOfGetInfoOfTheWrongTypeIsNotRead(key: Int) {
        // No member has a simple value.
        let message = Shape("", [.key(.integer(key))], []).replace(in: Self.fullInfo.cbor, by: .simple(99))
        #expect(throws: CBOR.AccessError.self) { try AuthenticatorInfo(cbor: message) }
    }

    @Test func getInfoNeedsVersionsAndASixteenByteAAGUID() {
        for key in [1, 3] {
            let message = Shape("", [.key(.integer(key))], []).replace(in: Self.fullInfo.cbor, by: nil)
            #expect(throws: CBOR.AccessError.self) { try AuthenticatorInfo(cbor: message) }
        }
        for length in [0, 15, 17] {
            let bytes = CBOR.Value.bytes([UInt8](repeating: 0, count: length))
            let message = Shape("", [.key(3)], []).replace(in: Self.fullInfo.cbor, by: bytes)
            #expect(throws: CBOR.AccessError(problem: .outOfRange, path: "aaguid")) {
                try AuthenticatorInfo(cbor: message)
            }
        }
    }

    @Test func unknownMembersOfGetInfoAreSkippedAndOptionsAreTriState() throws {
        let message = Shape("", [.key(0x20)], []).replace(in: Self.fullInfo.cbor, by: ["future": 1])
        let info = try AuthenticatorInfo(cbor: message)
        #expect(info.option("rk") == true)
        #expect(info.option("clientPin") == false)
        #expect(info.option("uv") == nil)
    }

    @Test func statusesAndCommandsNameThemselves() {
        #expect(CTAPStatus.pinInvalid.description == "PIN_INVALID (0x31)")
        #expect(CTAPStatus(rawValue: 0x03).description == "INVALID_LENGTH (0x03)")
        #expect(CTAPStatus(rawValue: 0xF2).description == "0xF2")
        #expect(CTAPCommand.selection.description == "Selection")
        #expect(CTAPCommand(rawValue: 0x51).description == "command 0x51")
        // CTAP 2.3 §8.2: the codes the specification took back have no name.
        #expect(Set(CTAPStatus.all.map(\.identifier)).count == CTAPStatus.all.count)
        for status in CTAPStatus.all { #expect(CTAPStatus.named(status.name ?? "") == status) }
        for code: UInt8 in [0x13, 0x16, 0x29, 0x2A, 0x38] { #expect(CTAPStatus(rawValue: code).name == nil) }
    }
}
