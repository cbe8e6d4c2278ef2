internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

extension AuthenticatorSuite {
    /// CTAP over NFC (CTAP 2.3 §11.3).
    package static let nfc = Group(
        "nfc", "CTAP over NFC",
        NFCCases.selection + NFCCases.messages + NFCCases.forms + NFCWaitingCases.taps + NFCWaitingCases.tokens
            + NFCWaitingCases.updates)
}

/// The cases of CTAP over NFC.
enum NFCCases {
    private static let application: [UInt8] = [0xA0, 0x00, 0x00, 0x06, 0x47, 0x2F, 0x00, 0x01]

    /// A case with the FIDO application selected.
    private static func card(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must, needs: [AuthenticatorNeed] = [],
        person: [ManualAct] = [], _ perform: @escaping @Sendable (AuthenticatorBench, CardChannel) async throws -> Void
    ) -> Case {
        Case("nfc.\(name)", title, clause, level: level, needs: [.apdus] + needs, person: person) { bench in
            guard let card = bench.card else { throw CaseStop.notRun("the device is not reached by NFC") }
            let selected = try await card.select()
            try bench.require(selected.status == .noError, "NO_ERROR (0x9000) for SELECT", seen: "\(selected.status)")
            try await perform(bench, card)
        }
    }

    static func message(
        _ bytes: [UInt8], class instructionClass: UInt8 = 0x80, parameter: UInt8 = 0, expected: Int? = 256,
        extended: Bool = false
    ) -> CommandAPDU {
        CommandAPDU(
            class: instructionClass, instruction: 0x10, parameter1: parameter, data: bytes,
            expectedLength: expected, extended: extended)
    }

    /// The answer to a message, with all its pieces.
    private static func exchange(_ card: CardChannel, _ bytes: [UInt8]) async throws -> ResponseAPDU {
        try await card.whole(try await card.transmit(message(bytes)))
    }

    /// A long message that finds no credential.
    private static func longMessage(_ bench: AuthenticatorBench) -> [UInt8] {
        var parameters = bench.getAssertionParameters()
        parameters[3] = .array((0..<4).map { _ in PublicKeyCredentialDescriptor(id: bench.randomBytes(64)).cbor })
        parameters[5] = ["up": false]
        return [CTAPCommand.getAssertion.rawValue] + CBOR.encode(.map(parameters))
    }

    /// SELECT (§11.3.3).
    @CaseTable static var selection: [Case] {
        card("select.version", "SELECT answers U2F_V2 or FIDO_2_0.", .ctap("11.3.3")) { bench, card in
            let answer = try await card.select()
            let version = String(decoding: answer.data, as: UTF8.self)
            bench.expect(["U2F_V2", "FIDO_2_0"].contains(version), "U2F_V2 or FIDO_2_0", seen: version)
        }
        card("select.u2f", "SELECT answers U2F_V2 exactly where the authenticator has U2F.", .ctap("11.3.3")) {
            bench, card in
            let version = String(decoding: try await card.select().data, as: UTF8.self)
            let expected = bench.info.versions.contains("U2F_V2") ? "U2F_V2" : "FIDO_2_0"
            bench.expect(version == expected, expected, seen: version)
        }
        card("select.again", "SELECT may be repeated.", .ctap("11.3.3")) { bench, card in
            for _ in 0..<3 { bench.expect(try await card.select(), .noError, for: "a further SELECT") }
        }
        card("select.unknown", "SELECT of an unknown application is refused.", Clause(.iso7816, "11.2.2")) {
            bench, card in
            let answer = try await card.transmit(
                CommandAPDU(
                    class: 0, instruction: 0xA4, parameter1: 4, data: [0xA0, 0, 0, 9, 9, 9, 9], expectedLength: 256))
            bench.expect(answer.status != .noError, "a refusal", seen: "\(answer.status)")
            bench.expect(answer, .notFound, for: "an unknown application", level: .should)
        }
        card("select.parameters", "SELECT with a wrong P1 is refused.", Clause(.iso7816, "11.2.2"), level: .should) {
            bench, card in
            let answer = try await card.transmit(
                CommandAPDU(class: 0, instruction: 0xA4, parameter1: 0x77, data: application, expectedLength: 256))
            bench.expect(answer.status != .noError, "a refusal of P1 0x77", seen: "\(answer.status)")
        }
        card("select.withoutLe", "SELECT without Le selects the application.", .ctap("11.3.3")) { bench, card in
            let answer = try await card.transmit(
                CommandAPDU(class: 0, instruction: 0xA4, parameter1: 4, data: application))
            bench.expect(
                answer.status == .noError || answer.status.moreDataCount != nil, "NO_ERROR (0x9000)",
                seen: "\(answer.status)")
            bench.expect(
                [0, 1].contains(try await exchange(card, [0x04]).data.first ?? 9), "an answer to getInfo", seen: "none")
        }
        Case(
            "nfc.select.explicit", "Before SELECT the application serves no command.", .ctap("11.3.3"),
            needs: [.apdus, .ctap2]
        ) { bench in
            guard let card = bench.card else { throw CaseStop.notRun("the device is not reached by NFC") }
            try await bench.restartCard()
            let answer = try await card.transmit(message([0x04]))
            bench.expect(
                answer.status != .noError && answer.status.moreDataCount == nil, "a refusal", seen: "\(answer.status)")
            bench.expect(try await card.select(), .noError, for: "SELECT")
        }
        card(
            "control.end", "After END CTAP_MSG, messages are refused until the next SELECT.", .ctap("11.3.4"),
            level: .should
        ) { bench, card in
            let answer = try await card.transmit(CommandAPDU(class: 0x80, instruction: 0x12, parameter1: 0x01))
            guard answer.status == .noError else {
                throw CaseStop.notApplicable("NFCCTAP_CONTROL is answered with \(answer.status)")
            }
            let refused = try await card.transmit(message([0x04]))
            bench.expect(
                refused.status != .noError && refused.status.moreDataCount == nil, "a refusal",
                seen: "\(refused.status)")
            bench.expect(try await card.select(), .noError, for: "SELECT")
            bench.expect(try await exchange(card, [0x04]), .noError, for: "getInfo after SELECT")
        }
    }

    /// NFCCTAP_MSG, chains and pieces (§11.3.5, §11.3.6).
    @CaseTable static var messages: [Case] {
        card(
            "message.getInfo", "NFCCTAP_MSG carries getInfo, in pieces where it is long.", .ctap("11.3.5.1"),
            needs: [.ctap2]
        ) { bench, card in
            let answer = try await exchange(card, [0x04])
            bench.expect(answer, .noError, for: "getInfo")
            bench.expect(answer.data.first == 0, "the status 0", seen: Hex.encode(answer.data.prefix(1)))
            bench.expect(
                (try? CBOR.decode(answer.data, from: 1)) != nil, "a whole CBOR item", seen: "\(answer.data.count) bytes"
            )
        }
        card("message.pieces", "No piece is longer than Le.", .ctap("11.3.6"), needs: [.ctap2]) { bench, card in
            var answer = try await card.transmit(message([0x04], expected: 16))
            bench.expect(answer.data.count <= 16, "at most 16 bytes", seen: "\(answer.data.count)")
            var whole = answer.data
            while let count = answer.status.moreDataCount, whole.count < 0x10000 {
                answer = try await card.transmit(
                    CommandAPDU(class: 0, instruction: 0xC0, expectedLength: min(16, count)))
                bench.expect(answer.data.count <= 16, "at most 16 bytes", seen: "\(answer.data.count)")
                whole += answer.data
            }
            bench.expect(answer, .noError, for: "the last piece")
            bench.expect((try? CBOR.decode(whole, from: 1)) != nil, "a whole CBOR item", seen: "\(whole.count) bytes")
        }
        card("message.refusal", "A refusal of CTAP2 is data under 0x9000.", .ctap("11.3.5.1"), needs: [.ctap2]) {
            bench, card in
            let answer = try await exchange(card, [0x0E])
            bench.expect(answer, .noError, for: "an unknown command of CTAP2")
            bench.expect(answer.data == [0x01], "CTAP1_ERR_INVALID_COMMAND (0x01)", seen: Hex.encode(answer.data))
        }
        card("message.empty", "A message without a command is refused.", .ctap("11.3.5.1"), needs: [.ctap2]) {
            bench, card in
            let answer = try await card.transmit([0x80, 0x10, 0x00, 0x00, 0x00])
            bench.expect(
                answer.status != .noError || (answer.data.count == 1 && answer.data != [0]), "a refusal",
                seen: "\(Hex.encode(answer.data.prefix(8))) \(answer.status)")
        }
        card("message.chain", "A chain of commands carries a long message.", .ctap("11.3.6"), needs: [.ctap2]) {
            bench, card in
            let bytes = longMessage(bench)
            var rest = bytes[...]
            while rest.count > 100 {
                let part = try await card.transmit(message(Array(rest.prefix(100)), class: 0x90, expected: nil))
                try bench.require(part.status == .noError, "NO_ERROR (0x9000) for a part", seen: "\(part.status)")
                bench.expect(part.data.isEmpty, "no data for a part", seen: "\(part.data.count) bytes")
                rest = rest.dropFirst(100)
            }
            let answer = try await card.whole(try await card.transmit(message(Array(rest))))
            bench.expect(
                answer.data == [CTAPStatus.noCredentials.rawValue], "CTAP2_ERR_NO_CREDENTIALS (0x2E)",
                seen: "\(Hex.encode(answer.data.prefix(8))) \(answer.status)")
        }
        card(
            "message.extended", "An extended command carries a long message, or is refused as a whole.",
            .ctap("11.3.6"), needs: [.ctap2]
        ) { bench, card in
            let first = try await card.transmit(message(longMessage(bench), expected: 65536, extended: true))
            guard ![.wrongLength, .claNotSupported, .insNotSupported].contains(first.status) else {
                throw CaseStop.notApplicable("extended lengths are refused with \(first.status)")
            }
            let answer = try await card.whole(first)
            bench.expect(
                answer.data == [CTAPStatus.noCredentials.rawValue], "CTAP2_ERR_NO_CREDENTIALS (0x2E)",
                seen: "\(Hex.encode(answer.data.prefix(8))) \(answer.status)")
        }
        card(
            "message.extendedAnswer", "An extended command gets a long answer in one piece.", .ctap("11.3.6"),
            needs: [.ctap2]
        ) { bench, card in
            let answer = try await card.transmit(message([0x04], expected: 65536, extended: true))
            guard ![.wrongLength, .claNotSupported, .insNotSupported].contains(answer.status) else {
                throw CaseStop.notApplicable("extended lengths are refused with \(answer.status)")
            }
            bench.expect(answer, .noError, for: "getInfo with an extended Le", level: .should)
            bench.expect(answer.data.first == 0, "the status 0", seen: Hex.encode(answer.data.prefix(1)))
        }
        card("message.chainInterrupted", "SELECT ends an incomplete chain.", .ctap("11.3.6"), needs: [.ctap2]) {
            bench, card in
            _ = try await card.transmit(message(bench.randomBytes(50), class: 0x90, expected: nil))
            bench.expect(try await card.select(), .noError, for: "SELECT")
            let answer = try await exchange(card, [0x04])
            bench.expect(answer.data.first == 0, "getInfo with the status 0", seen: Hex.encode(answer.data.prefix(1)))
        }
        card(
            "message.tap", "A tap is the touch of a MakeCredential.", .ctap("11.3.2"), needs: [.credentials],
            person: [.tap]
        ) { bench, card in
            let parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            let bytes = [CTAPCommand.makeCredential.rawValue] + CBOR.encode(.map(parameters))
            // Authorising by another transport may have taken the selection away.
            try await card.select()
            var rest = bytes[...]
            while rest.count > 255 {
                _ = try await card.transmit(message(Array(rest.prefix(255)), class: 0x90, expected: nil))
                rest = rest.dropFirst(255)
            }
            let answer = try await card.whole(try await card.transmit(message(Array(rest))))
            bench.expect(answer.data.first == 0, "the status 0", seen: Hex.encode(answer.data.prefix(1)))
        }
    }

    /// Commands of a wrong form.
    @CaseTable static var forms: [Case] {
        card("class.unknown", "An unknown class is refused.", Clause(.iso7816, "5.4.1")) { bench, card in
            let answer = try await card.transmit([0x40, 0x10, 0x00, 0x00, 0x01, 0x04, 0x00])
            bench.expect(answer, .claNotSupported, .insNotSupported, for: "the class 0x40")
        }
        card("instruction.unknown", "An unknown instruction of CTAP's class is refused.", .ctap("11.3.5")) {
            bench, card in
            let answer = try await card.transmit([0x80, 0x7E, 0x00, 0x00])
            bench.expect(answer, .insNotSupported, for: "the instruction 0x7E")
        }
        card(
            "instruction.unknownU2F", "An unknown instruction of the interindustry class is refused.",
            Clause(.iso7816, "5.4.2")
        ) { bench, card in
            let answer = try await card.transmit([0x00, 0x7E, 0x00, 0x00])
            bench.expect(answer, .insNotSupported, for: "the instruction 0x7E")
        }
        card("parameters.unknown", "NFCCTAP_MSG with a wrong P2 is refused.", .ctap("11.3.5.1"), level: .should) {
            bench, card in
            let answer = try await card.transmit([0x80, 0x10, 0x00, 0x55, 0x01, 0x04, 0x00])
            bench.expect(
                answer.status != .noError && answer.status.moreDataCount == nil, "a refusal of P2 0x55",
                seen: "\(answer.status)")
        }
        card("length.contradiction", "A command whose length contradicts its size is refused.", Clause(.iso7816, "5.2"))
        { bench, card in
            let answer = try await card.transmit([0x80, 0x10, 0x00, 0x00, 0x09, 0x04])
            bench.expect(answer.status != .noError, "a refusal", seen: "\(answer.status)")
        }
        card("getResponse.nothing", "GET RESPONSE without a rest is refused.", Clause(.iso7816, "11.3.1")) {
            bench, card in
            let answer = try await card.transmit([0x00, 0xC0, 0x00, 0x00, 0x00])
            bench.expect(answer.status != .noError, "a refusal", seen: "\(answer.status)")
        }
        card(
            "getResponse.dropped", "Another command drops the rest of an answer.", Clause(.iso7816, "11.3.1"),
            needs: [.ctap2]
        ) { bench, card in
            let first = try await card.transmit(message([0x04], expected: 16))
            guard first.status.moreDataCount != nil else {
                throw CaseStop.notApplicable("the answer came in one piece")
            }
            try await card.select()
            let answer = try await card.transmit([0x00, 0xC0, 0x00, 0x00, 0x10])
            bench.expect(
                answer.status != .noError && answer.status.moreDataCount == nil, "a refusal", seen: "\(answer.status)")
        }
        card("nfcctapGetResponse.nothing", "NFCCTAP_GETRESPONSE without a request is refused.", .ctap("11.3.7.2")) {
            bench, card in
            let answer = try await card.transmit([0x80, 0x11, 0x00, 0x00, 0x00])
            bench.expect(answer.status != .noError, "a refusal", seen: "\(answer.status)")
        }
        card(
            "nfcctapGetResponse.update",
            "A client that supports NFCCTAP_GETRESPONSE gets the answer or status updates.",
            .ctap("11.3.7.1"), needs: [.ctap2]
        ) { bench, card in
            var answer = try await card.transmit(message([0x04], parameter: 0x80))
            var updates = 0
            while answer.status == .statusUpdate, updates < 50 {
                bench.expect(
                    answer.data.count == 1 && [1, 2].contains(answer.data[0]), "one byte, 1 or 2",
                    seen: Hex.encode(answer.data))
                answer = try await card.transmit([0x80, 0x11, 0x00, 0x00, 0x00])
                updates += 1
            }
            answer = try await card.whole(answer)
            bench.expect(answer.data.first == 0, "getInfo with the status 0", seen: Hex.encode(answer.data.prefix(1)))
        }
        card(
            "afterRefusal", "The card serves the next command after a refusal.", Clause(.iso7816, "5.6"),
            needs: [.ctap2]
        ) { bench, card in
            _ = try await card.transmit([0x80, 0x7E, 0x00, 0x00])
            bench.expect(try await exchange(card, [0x04]).data.first == 0, "getInfo with the status 0", seen: "another")
        }
        card("u2f.version", "A card with U2F answers U2F_VERSION.", .ctap("11.3.3"), needs: [.version(["U2F_V2"])]) {
            bench, card in
            let answer = try await card.transmit([0x00, 0x03, 0x00, 0x00, 0x00])
            bench.expect(answer, .noError, for: "U2F_VERSION")
            bench.expect(answer.data == Array("U2F_V2".utf8), "U2F_V2", seen: Hex.encode(answer.data))
        }
        card("u2f.absent", "A card without U2F refuses U2F_VERSION.", .ctap("11.3.3")) { bench, card in
            guard !bench.info.versions.contains("U2F_V2") else { throw CaseStop.notApplicable("the card has U2F") }
            let answer = try await card.transmit([0x00, 0x03, 0x00, 0x00, 0x00])
            bench.expect(answer.status != .noError, "a refusal", seen: "\(answer.status)")
        }
    }
}
