internal import CBOR
internal import CTAP
internal import Trace
internal import Wording

/// Messages of CTAP2.
extension Reading {
    static func request(_ bytes: [UInt8]) -> Reading? {
        guard let code = bytes.first else { return nil }
        let command = CTAPCommand(rawValue: code)
        if command.name != nil {
            guard bytes.count > 1 else {
                return Reading(.request, fits: MessageChecks.hasNoParameters(command), [requestPart(bytes)])
            }
            guard let map = map(Array(bytes.dropFirst())) else {
                // A message that ends early still begins with a map.
                return (0xA0...0xBF).contains(bytes[1]) ? Reading(.request, fits: false, [requestPart(bytes)]) : nil
            }
            let check = MemberCheck(request: map, of: command)
            return Reading(
                .request, fits: check.known > 0 && check.known >= check.unknown.count,
                [requestPart(bytes)])
        }
        // The parameters alone, as some programs log them.
        guard let map = map(bytes) else { return nil }
        let fitting = [CTAPCommand.makeCredential, .getAssertion, .clientPIN].first {
            MemberCheck(request: map, of: $0).isExact
        }
        return fitting.map { command in
            var part = requestPart([command.rawValue] + bytes)
            part.title += ", without its command byte"
            return Reading(.request, [part])
        }
    }

    /// The commands whose responses have members, the most specific first.
    private static let answered: [CTAPCommand] = [
        .makeCredential, .getAssertion, .getInfo, .clientPIN, .credentialManagement, .bioEnrollment, .largeBlobs,
    ]

    static func response(_ bytes: [UInt8], to command: CTAPCommand?) -> Reading? {
        guard let code = bytes.first else { return nil }
        let status = CTAPStatus(rawValue: code)
        if bytes.count == 1 { return status.name == nil ? nil : Reading(.response, [responsePart(bytes, to: command)]) }
        if let map = map(bytes) {
            // The members alone, without the status byte.
            let fitting = answered.first { MemberCheck(response: map, to: $0).isExact }
            guard let command = command ?? fitting else { return nil }
            var part = responsePart([0] + bytes, to: command)
            part.title += ", without its status byte"
            return Reading(.response, fits: MemberCheck(response: map, to: command).isExact, [part])
        }
        guard status.name != nil, (0xA0...0xBF).contains(bytes[1]) else { return nil }
        guard let map = map(Array(bytes.dropFirst())) else {
            let readable = readableMembers(Array(bytes.dropFirst()))
            let nearest = readable.flatMap { commands(of: $0, isWhole: false).first }
            return Reading(.response, fits: false, [responsePart(bytes, to: command ?? nearest)])
        }
        let fitting = command.map { [$0] } ?? commands(of: map)
        var part = responsePart(bytes, to: fitting.first)
        if fitting.count > 1 {
            part.title += ", which also fits " + fitting.dropFirst().map { "\($0) (--to)" }.joined(separator: ", ")
        }
        return Reading(.response, fits: status == .ok && !fitting.isEmpty, [part])
    }

    /// The commands whose responses have the most of a map's members in their types; none for a map of others.
    private static func commands(of map: CBOR.Map, isWhole: Bool = true) -> [CTAPCommand] {
        let scores = answered.map { command in
            let check = MemberCheck(response: map, to: command)
            let missing = isWhole ? check.missing.count : 0
            return (command, check.known - 2 * (check.mistyped.count + check.unknown.count + missing))
        }
        guard let best = scores.map(\.1).max(), best > 0 else { return [] }
        return scores.filter { $0.1 == best }.map(\.0)
    }

    /// A message that ends early, with the members before its end; nil for a whole one.
    private static func beginning(of bytes: [UInt8]) -> [UInt8]? {
        let content = Array(bytes.dropFirst())
        guard !content.isEmpty, map(content) == nil, let map = readableMembers(content) else { return nil }
        return bytes.prefix(1) + CBOR.encode(.map(map), ordering: .asGiven)
    }

    static func requestPart(_ bytes: [UInt8]) -> DecodedPart {
        let request = MessageDecoder.request(bytes)
        let readable = beginning(of: bytes).map { MessageDecoder.request($0).message.fields }
        return DecodedPart(
            title: "request: \(request.sentence)", length: bytes.count, fields: readable ?? request.message.fields,
            problems: MessageChecks.request(bytes, request))
    }

    static func responsePart(_ bytes: [UInt8], to command: CTAPCommand?) -> DecodedPart {
        responsePart(bytes, to: command.map { [$0.rawValue] } ?? [])
    }

    /// A response with the members that the command of its request has.
    static func responsePart(_ bytes: [UInt8], to request: [UInt8]) -> DecodedPart {
        let response = MessageDecoder.response(bytes, to: request)
        let command = request.first.map { CTAPCommand(rawValue: $0) }
        let status = response.status?.description ?? "nothing"
        let readable = beginning(of: bytes).map { MessageDecoder.response($0, to: request).message.fields }
        return DecodedPart(
            title: "response" + (command.map { " to \($0)" } ?? "") + ": \(status)", length: bytes.count,
            fields: readable ?? response.message.fields,
            problems: MessageChecks.response(bytes, to: request, response.message))
    }
}

extension MemberCheck {
    /// Whether the map has members, and only those that the specification names, in their types.
    var isExact: Bool { known > 0 && missing.isEmpty && unknown.isEmpty && mistyped.isEmpty }

    /// The deviations, each with the clause of the command.
    func problems(_ clause: String) -> [DecodingProblem] {
        missing.map { DecodingProblem("\($0) is missing", clause) } + mistyped.map { DecodingProblem($0, clause) }
            + unknown.map { DecodingProblem("no specification names the member \($0)", clause) }
    }
}
