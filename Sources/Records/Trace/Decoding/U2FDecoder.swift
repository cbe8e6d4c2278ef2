internal import CTAP

/// Decodes U2F messages: ISO 7816-4 APDUs with the contents of FIDO U2F Raw Message Formats v1.2.
package enum U2FDecoder {
    /// A part of a U2F structure.
    private enum Part {
        case bytes(String, Int)
        /// One byte that may have a name.
        case byte(String, [Int: String])
        case counter(String)
        /// A length byte and that many bytes.
        case sized(String)
        /// One DER element.
        case der(String)
        case text(String)
        case rest(String)

        var name: String {
            switch self {
            case .bytes(let name, _), .byte(let name, _), .counter(let name), .sized(let name), .der(let name),
                .text(let name), .rest(let name):
                name
            }
        }
    }

    private struct Instruction {
        let name: String
        let request: [Part]
        let response: [Part]
    }

    private static let instructions: [UInt8: Instruction] = [
        0x01: Instruction(
            name: "U2F_REGISTER", request: [.bytes("challenge", 32), .bytes("application", 32)],
            response: [
                .byte("reserved", [:]), .bytes("publicKey", 65), .sized("keyHandle"), .der("certificate"),
                .rest("signature"),
            ]),
        0x02: Instruction(
            name: "U2F_AUTHENTICATE",
            request: [.bytes("challenge", 32), .bytes("application", 32), .sized("keyHandle")],
            response: [
                .byte("userPresence", [0: "not present", 1: "present"]), .counter("counter"), .rest("signature"),
            ]),
        0x03: Instruction(name: "U2F_VERSION", request: [], response: [.text("version")]),
    ]

    private static let controls = [
        0x03: "enforce user presence and sign", 0x07: "check only", 0x08: "sign without user presence",
    ]

    /// The specification's name of a status word.
    static func name(of word: UInt16) -> String? { StatusWord(rawValue: word).name.map { "SW_\($0)" } }

    package static func description(of word: UInt16) -> String {
        let status = StatusWord(rawValue: word)
        return status.name == nil ? status.description : "SW_\(status)"
    }

    package static func request(_ bytes: [UInt8]) -> TraceRequest {
        let code = bytes.count > 1 ? bytes[1] : nil
        let instruction = code.flatMap { instructions[$0] }
        let name = instruction?.name ?? code.map { "U2F instruction 0x" + String($0, radix: 16, uppercase: true) }
        var message = TraceMessage(length: bytes.count, raw: bytes)
        if let command = try? CommandAPDU(parsing: bytes) {
            if code == 0x02 {
                message.fields.append(.integer("control", Int(bytes[2]), meaning: controls[Int(bytes[2])]))
            }
            message.fields += fields(command.data[...], as: instruction?.request ?? [])
        } else {
            message.problem = "the APDU's lengths contradict its size"
            message.fields = [.undecoded(bytes.dropFirst(2))]
        }
        return TraceRequest(code: code, command: name ?? "U2F message", message: message)
    }

    package static func response(_ bytes: [UInt8], to request: [UInt8]) -> (word: UInt16?, message: TraceMessage) {
        var message = TraceMessage(length: bytes.count, raw: bytes)
        guard bytes.count >= 2 else {
            message.problem = "the status word is missing"
            if !bytes.isEmpty { message.fields = [.undecoded(bytes[...])] }
            return (nil, message)
        }
        let word = bytes.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
        let instruction = request.count > 1 ? instructions[request[1]] : nil
        if bytes.count > 2 {
            message.fields = fields(
                bytes.dropLast(2), as: word == StatusWord.noError.rawValue ? instruction?.response ?? [] : [])
        }
        return (word, message)
    }

    private static func fields(_ bytes: ArraySlice<UInt8>, as parts: [Part]) -> [TraceField] {
        var cursor = ByteCursor(rest: bytes)
        var fields: [TraceField] = []
        for part in parts {
            guard let field = field(part, &cursor) else {
                let place = bytes.count - cursor.rest.count
                return fields + [
                    .undecoded(cursor.rest, "the message ends early, in \(part.name) at byte \(place) of the data")
                ]
            }
            fields.append(field)
        }
        return cursor.rest.isEmpty ? fields : fields + [.undecoded(cursor.rest, "unexpected bytes at the end")]
    }

    private static func field(_ part: Part, _ cursor: inout ByteCursor) -> TraceField? {
        switch part {
        case .bytes(let name, let count): return cursor.take(count).map { .bytes(name, $0) }
        case .byte(let name, let names):
            return cursor.take(1)?.first.map { .integer(name, Int($0), meaning: names[Int($0)]) }
        case .counter(let name): return cursor.take(4).map { .integer(name, $0.reduce(0) { $0 << 8 | Int($1) }) }
        case .sized(let name):
            guard let length = cursor.rest.first, cursor.rest.count > Int(length) else { return nil }
            cursor.rest = cursor.rest.dropFirst()
            return cursor.take(Int(length)).map { .bytes(name, $0) }
        case .der(let name): return derLength(cursor.rest).flatMap { cursor.take($0) }.map { .bytes(name, $0) }
        case .text(let name):
            return cursor.take(cursor.rest.count).map { bytes in
                .bytes(name, bytes, meaning: String(validating: bytes, as: UTF8.self))
            }
        case .rest(let name): return cursor.take(cursor.rest.count).map { .bytes(name, $0) }
        }
    }

    /// The length of the first DER element, including its tag and length octets.
    private static func derLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        let head = Array(bytes.prefix(4))
        guard head.count >= 2 else { return nil }
        switch head[1] {
        case 0..<0x80: return 2 + Int(head[1])
        case 0x81 where head.count >= 3: return 3 + Int(head[2])
        case 0x82 where head.count == 4: return 4 + (Int(head[2]) << 8 | Int(head[3]))
        default: return nil
        }
    }
}
