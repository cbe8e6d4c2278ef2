internal import CTAP
internal import CTAPNFC
internal import Trace
internal import Wording

/// Decodes command and response APDUs, and assembles chains of both (CTAP 2.3 §11.3, ISO/IEC 7816-4 §5.1).
struct CardExchange {
    /// The data of a command chain with more parts to come.
    private var chain: [UInt8] = []
    /// The whole command that waits for its response.
    private var command: CommandAPDU?
    /// The data of a response with more bytes to come.
    private var collected: [UInt8] = []
    /// Whether the last APDU was a command.
    private(set) var isWaiting = false
    private var hasBegun = false

    // MARK: Recognition

    /// Whether bytes are a command of the FIDO application.
    static func isCommand(_ bytes: [UInt8]) -> Bool {
        guard let command = try? CommandAPDU(parsing: bytes) else { return false }
        return name(command) != nil
    }

    /// Whether bytes end in a status word with a name.
    static func isResponse(_ bytes: [UInt8]) -> Bool {
        guard let response = ResponseAPDU(parsing: bytes) else { return false }
        return response.status.name != nil || response.status.moreDataCount != nil
    }

    /// The name of a command's class and instruction; nil for one of another application.
    static func name(_ command: CommandAPDU) -> String? {
        let isCTAP = command.instructionClass & ~NFCCTAP.chainingBit == NFCCTAP.ctapClass
        switch (isCTAP, command.instruction) {
        case (true, NFCCTAP.Instruction.message): return "NFCCTAP_MSG"
        case (true, NFCCTAP.Instruction.getResponse):
            return command.parameter1 == NFCCTAP.cancel ? "NFCCTAP_GETRESPONSE, cancel" : "NFCCTAP_GETRESPONSE"
        case (true, NFCCTAP.Instruction.control): return "NFCCTAP_CONTROL"
        case (_, NFCCTAP.Instruction.interindustryGetResponse): return "GET RESPONSE"
        case (false, _) where command.instructionClass & ~NFCCTAP.chainingBit != NFCCTAP.interindustryClass: return nil
        case (false, NFCCTAP.Instruction.select): return "SELECT"
        case (false, _): return U2FInstruction(rawValue: command.instruction).map { "U2F_\($0)".uppercased() }
        default: return nil
        }
    }

    // MARK: Commands

    mutating func add(command bytes: [UInt8]) -> ExchangeStep {
        let lost: [DecodingProblem] =
            isWaiting ? [.damage("the input has no response to the command before this one", APDULengths.clause)] : []
        (isWaiting, hasBegun) = (true, true)
        guard let part = try? CommandAPDU(parsing: bytes) else {
            let head = bytes.count < 4 ? nil : CommandAPDU(class: bytes[0], instruction: bytes[1], parameter1: bytes[2])
            return step(
                head.flatMap(Self.name) ?? "command APDU", bytes, [.bytes("bytes", bytes)],
                lost + [APDULengths.problem(bytes)], true)
        }
        let length = part.expectedLength.map { ", up to \(Wording.counted($0, "byte")) expected" } ?? ""
        let form = part.data.isEmpty ? "no data" : Wording.counted(part.data.count, "byte") + " of data"
        let head = bytes.prefix(4).map { Self.hex($0) }.joined(separator: " ")
        let title =
            "\(Self.name(part) ?? "unknown command") (\(head)), \(form)\(length)"
            + (part.isExtended ? ", extended lengths" : "")
        guard part.instructionClass & NFCCTAP.chainingBit == 0 else {
            chain += part.data
            return step(title + ", part of a chain", bytes, [], lost, true)
        }
        var whole = part
        whole.data = chain + part.data
        let wasChain = !chain.isEmpty
        chain = []
        if ![NFCCTAP.Instruction.interindustryGetResponse, NFCCTAP.Instruction.getResponse].contains(part.instruction) {
            (command, collected) = (whole, [])
        }
        var decoded = content(of: whole, bytes)
        if wasChain { decoded.title += " (the chain has \(Wording.counted(whole.data.count, "byte")))" }
        let separator = decoded.title.isEmpty ? "" : ": "
        return step(title + separator + decoded.title, bytes, decoded.fields, lost + decoded.problems, true)
    }

    private func content(of command: CommandAPDU, _ bytes: [UInt8]) -> DecodedPart {
        let isCTAP = command.instructionClass & ~NFCCTAP.chainingBit == NFCCTAP.ctapClass
        switch (isCTAP, command.instruction) {
        case (true, NFCCTAP.Instruction.message): return Reading.requestPart(command.data)
        case (false, NFCCTAP.Instruction.select):
            let isFIDO = command.data == NFCCTAP.applicationID
            var part = DecodedPart(
                title: "", length: bytes.count,
                fields: [.bytes("application", command.data, meaning: isFIDO ? "FIDO" : nil)])
            if command.parameter1 != NFCCTAP.byName {
                part.problems.append(DecodingProblem("P1 is not 04, by name", "CTAP 2.3 §11.3.3"))
            }
            return part
        case (false, _) where U2FInstruction(rawValue: command.instruction) != nil:
            return Self.u2f(command.encoded, request: nil)
        default:
            return DecodedPart(
                title: "", length: bytes.count, fields: command.data.isEmpty ? [] : [.bytes("data", command.data)])
        }
    }

    /// Takes a command that cannot be read: its response has no meaning.
    mutating func forget() { (command, chain, collected, isWaiting) = (nil, [], [], true) }

    // MARK: Responses

    mutating func add(response bytes: [UInt8]) -> ExchangeStep {
        // The input may begin with a response.
        let isLost = !isWaiting && hasBegun
        defer { (isWaiting, hasBegun) = (false, true) }
        if isLost { (command, collected) = (nil, []) }
        var step = decoded(response: bytes)
        if isLost {
            step.parts[0].problems.insert(
                .damage("the input has no command before this response", APDULengths.clause), at: 0)
        }
        return step
    }

    private mutating func decoded(response bytes: [UInt8]) -> ExchangeStep {
        guard let response = ResponseAPDU(parsing: bytes) else {
            return step(
                "response APDU", bytes, [],
                [
                    .damage(
                        "a response has at least 2 bytes, the status word, not \(bytes.count)", "ISO/IEC 7816-4 §5.6")
                ], false)
        }
        // SW1 is 61 to 6F or 90 to 9F.
        let high = response.status.rawValue >> 8
        guard (0x61...0x6F).contains(high) || (0x90...0x9F).contains(high) else {
            return step(
                "response without a status word", bytes, [.bytes("bytes", bytes)],
                [
                    .damage(
                        "the last two bytes, \(response.status), are not a status word, which is 61XX to 6FXX or 9XXX: it is missing",
                        "ISO/IEC 7816-4 §5.6")
                ], false)
        }
        let title = "\(response.status), " + Wording.counted(response.data.count, "byte") + " of data"
        if response.status.moreDataCount != nil {
            collected += response.data
            return step(title + ", part of a response", bytes, [], [], false)
        }
        let data = collected + response.data
        let wasPart = !collected.isEmpty
        collected = []
        var decoded = content(data, response.status, bytes)
        if wasPart { decoded.title += " (the whole has \(Wording.counted(data.count, "byte")))" }
        let separator = decoded.title.isEmpty ? "" : ": "
        var step = step(title + separator + decoded.title, bytes, decoded.fields, decoded.problems, false)
        if command?.data.first == CTAPCommand.getInfo.rawValue, command?.instruction == NFCCTAP.Instruction.message {
            step.info = data
        }
        return step
    }

    private func content(_ data: [UInt8], _ status: StatusWord, _ bytes: [UInt8]) -> DecodedPart {
        let nothing = DecodedPart(
            title: "", length: bytes.count, fields: data.isEmpty ? [] : [.bytes("data", data, meaning: text(data))])
        guard let command else {
            guard status == .noError, !data.isEmpty, let best = Reading.all(of: data).first(where: \.fits) else {
                return nothing
            }
            return best.parts.first ?? nothing
        }
        if status == .statusUpdate {
            let words = data.first.flatMap(KeepaliveStatus.init(rawValue:)).map {
                $0 == .userPresenceNeeded ? "waiting for the user" : "processing"
            }
            return DecodedPart(
                title: "", length: bytes.count,
                fields: data.first.map { [.integer("status", Int($0), meaning: words)] } ?? [])
        }
        let isCTAP = command.instructionClass & ~NFCCTAP.chainingBit == NFCCTAP.ctapClass
        switch (isCTAP, command.instruction) {
        case (true, NFCCTAP.Instruction.message) where !data.isEmpty:
            return Reading.responsePart(data, to: command.data)
        case (false, NFCCTAP.Instruction.select) where !data.isEmpty:
            let version = String(validating: data, as: UTF8.self)
            return DecodedPart(title: "", length: bytes.count, fields: [.bytes("version", data, meaning: version)])
        case (false, _) where U2FInstruction(rawValue: command.instruction) != nil:
            var part = Self.u2f(data + status.bytes, request: command.encoded)
            part.title = ""
            return part
        default: return nothing
        }
    }

    /// Bytes that are printable, such as a version.
    private func text(_ bytes: [UInt8]) -> String? {
        bytes.allSatisfy { (0x20...0x7E).contains($0) } ? String(decoding: bytes, as: UTF8.self) : nil
    }

    // MARK: Both

    /// A U2F message: a response when its request is given.
    static func u2f(_ bytes: [UInt8], request: [UInt8]?) -> DecodedPart {
        guard let request else {
            let decoded = U2FDecoder.request(bytes)
            return DecodedPart(
                title: "request: \(decoded.sentence)", length: bytes.count, fields: decoded.message.fields,
                problems: problems(decoded.message, "FIDO U2F Raw Message Formats 1.2 §3"))
        }
        let decoded = U2FDecoder.response(bytes, to: request)
        return DecodedPart(
            title: "response: " + (decoded.word.map(U2FDecoder.description) ?? "nothing"), length: bytes.count,
            fields: decoded.message.fields,
            problems: problems(decoded.message, "FIDO U2F Raw Message Formats 1.2 §3.3"))
    }

    /// The problem of a message, and those of the fields that end early.
    private static func problems(_ message: TraceMessage, _ clause: String) -> [DecodingProblem] {
        ([message.problem] + message.fields.map(\.problem)).compactMap(\.self).map { .damage($0, clause) }
    }

    private func step(
        _ title: String, _ bytes: [UInt8], _ fields: [TraceField], _ problems: [DecodingProblem], _ isFromClient: Bool
    ) -> ExchangeStep {
        let part = DecodedPart(title: title, length: bytes.count, fields: fields, problems: problems)
        return ExchangeStep(parts: [ExchangeReader.directed(part, fromClient: isFromClient)])
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}

extension Reading {
    static func commandAPDU(_ bytes: [UInt8]) -> Reading? {
        guard bytes.count >= 4 else { return nil }
        var exchange = CardExchange()
        let match: Match =
            CardExchange.isCommand(bytes) ? .whole : APDULengths.beginsCommand(bytes) ? .beginning : .forced
        return Reading(.command, match: match, exchange.add(command: bytes).parts)
    }

    static func responseAPDU(_ bytes: [UInt8], to command: CTAPCommand?) -> Reading? {
        guard CardExchange.isResponse(bytes) else { return nil }
        var exchange = CardExchange()
        if let command {
            _ = exchange.add(
                command: CommandAPDU(
                    class: NFCCTAP.ctapClass, instruction: NFCCTAP.Instruction.message, data: [command.rawValue]
                ).encoded)
        }
        // The first bytes of a message may end like a status word that announces more.
        let announcesMore = bytes.count > 2 && bytes[bytes.count - 2] == 0x61
        return Reading(.answer, fits: !announcesMore, exchange.add(response: bytes).parts)
    }
}
