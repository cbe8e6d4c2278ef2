import CBOR
import CTAP
import Testing
import VirtualAuthenticator

@Suite("Messages")
struct MessageTests {
    @Test func anEmptyMessageHasAnInvalidLength() async {
        #expect(await Bench().send([]).told == Told(.invalidLength, "message.empty"))
    }

    /// Bio enrolment, credential management, large blobs and config are commands of the specification that this
    /// device does not have.
    @Test(arguments: [0x00, 0x03, 0x05, 0x09, 0x0A, 0x0C, 0x0D, 0x0E, 0x40, 0x41, 0xFF] as [UInt8])
    func anUnknownCommandIsAnInvalidCommand(command: UInt8) async {
        #expect(await Bench().send([command]).told == Told(.invalidCommand, "message.unknownCommand"))
    }

    @Test func clientPINIsUnknownToADeviceWithoutUserVerification() async {
        let bench = Bench { $0.supportsClientPIN = false }
        #expect(await bench.send(.clientPIN, [2: 1]).told == Told(.invalidCommand, "message.unknownCommand"))
        #expect(await bench.info().pinUvAuthProtocols == nil)
    }

    @Test func aMessageBeyondMaxMsgSizeIsTooLarge() async {
        let bench = Bench { $0.maxMsgSize = 1024 }
        let byte = CTAPCommand.getInfo.rawValue
        #expect(await bench.send([byte] + [UInt8](repeating: 0, count: 1023)).told == .ok)
        #expect(
            await bench.send([byte] + [UInt8](repeating: 0, count: 1024)).told
                == Told(.requestTooLarge, "message.tooLarge"))
    }

    @Test(
        arguments: [
            ([], "message.truncated"), ([0xA0, 0x00], "message.trailingBytes"),
            ([0xA1, 0x18, 0x01, 0x00], "message.nonMinimalInteger"),
            ([0xBF, 0xFF], "message.indefiniteLength"), ([0xA2, 0x02, 0x00, 0x01, 0x00], "message.unsortedKeys"),
            ([0xA2, 0x01, 0x00, 0x01, 0x00], "message.duplicateKey"), ([0xC0, 0xA0], "message.tagNotAllowed"),
            ([0xA1, 0x01, 0x61, 0xFF], "message.invalidUTF8"),
            ([0x81, 0x81, 0x81, 0x81, 0x80], "message.nestingTooDeep"),
            ([0xFC], "message.reservedAdditionalInformation"),
        ] as [([UInt8], String)])
    func parametersThatAreNotCanonicalAreInvalidCBOR(bytes: [UInt8], reason: String) async {
        let bench = Bench()
        for command: CTAPCommand in [.makeCredential, .getAssertion, .clientPIN] {
            #expect(await bench.send([command.rawValue] + bytes).told == Told(.invalidCBOR, reason))
        }
    }

    @Test func parametersOfTheWrongTypeAndMissingOnesHaveDifferentStatuses() async {
        let bench = Bench()
        for command: CTAPCommand in [.makeCredential, .getAssertion, .clientPIN] {
            #expect(await bench.send(command, []).told == Told(.cborUnexpectedType, "message.unexpectedType"))
            #expect(await bench.send(command, [:]).told == Told(.missingParameter, "message.missingParameter"))
        }
        #expect(
            await bench.send(.clientPIN, [2: .unsigned(.max)]).told == Told(.invalidParameter, "message.outOfRange"))
    }

    /// CTAP 2.3 §6.1.2 step 5, §6.2.2 step 4: treated as absent.
    @Test(arguments: [CBOR.Value.text("yes"), 1, .bytes([]), [], ["a": 1], true, false])
    func unknownOptionKeysAreIgnoredWhateverTheirValue(value: CBOR.Value) async throws {
        let bench = Bench()
        for (command, key, request) in [
            (CTAPCommand.makeCredential, 0x07, Bench.makeRequest { _ in }.cbor),
            (.getAssertion, 0x05, Bench.getRequest { _ in }.cbor),
        ] {
            var map = try request.asMap("request")
            map[key] = ["future": value, "up": true]
            let status = await bench.send(command, .map(map)).told.status
            #expect(status == (command == .makeCredential ? .ok : .noCredentials))
            map[key] = ["future": value, "uv": 1]
            #expect(await bench.send(command, .map(map)).told.status == .cborUnexpectedType)
        }
    }

    @Test func theLogHasEveryRequestAndItsAnswer() async {
        let bench = Bench()
        _ = await bench.send(.getInfo)
        _ = await bench.send([0x55])
        let kinds = bench.log.all.map(\.kind)
        #expect(kinds.count == 4)
        #expect(kinds[0] == .request(.getInfo))
        #expect(kinds[1] == .answer(.getInfo, .ok, nil))
        #expect(kinds[2] == .request(CTAPCommand(rawValue: 0x55)))
        guard case .answer(_, .invalidCommand, let refusal?) = kinds[3] else {
            Issue.record("\(kinds[3])")
            return
        }
        #expect(refusal.detail == "0x55")
    }
}
