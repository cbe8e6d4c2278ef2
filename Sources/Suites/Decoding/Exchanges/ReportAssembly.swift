internal import CBOR
internal import CTAP
internal import CTAPHID
internal import Trace
internal import Wording

/// Assembles CTAPHID reports into messages, and decodes the messages of each channel (CTAP 2.3 §11.2).
struct ReportAssembly {
    private struct Key: Hashable {
        let channel: CTAPHIDChannel
        let isFromClient: Bool?
    }

    private var open: [Key: (assembler: CTAPHIDAssembler, expected: Int, next: UInt8)] = [:]
    /// The requests without an answer.
    private var requests: [CTAPHIDChannel?: (command: CTAPHIDCommand, payload: [UInt8])] = [:]

    // MARK: Reports

    mutating func add(report bytes: [UInt8], _ isFromClient: Bool?) -> ExchangeStep {
        let packet: CTAPHIDPacket
        do {
            packet = try CTAPHIDPacket(report: bytes)
        } catch {
            return ExchangeStep(parts: [
                DecodedPart(
                    title: "report", length: bytes.count, fields: [.bytes("bytes", bytes)],
                    problems: [DecodingProblem("\(error)", "CTAP 2.3 §11.2.4")])
            ])
        }
        let key = Key(channel: packet.channel, isFromClient: isFromClient)
        do {
            var assembler: CTAPHIDAssembler
            var step = ExchangeStep()
            if case .initialization(_, let length) = packet.header {
                if let former = open.removeValue(forKey: key) { step.parts.append(Self.unfinished(key, former)) }
                assembler = try CTAPHIDAssembler(first: packet)
                open[key] = (assembler, Int(length), 0)
            } else {
                guard let former = open[key] else { throw CTAPHIDFramingError.notAnInitializationPacket }
                assembler = former.assembler
                try assembler.append(packet)
                open[key] = (assembler, former.expected, former.next + 1)
            }
            guard let message = assembler.message else { return step }
            open[key] = nil
            let whole = decode(message.channel, message.command, message.payload, isFromClient)
            return ExchangeStep(parts: step.parts + whole.parts, info: whole.info)
        } catch {
            return ExchangeStep(parts: [
                DecodedPart(
                    title: "report on channel \(packet.channel)", length: bytes.count,
                    problems: [DecodingProblem("\(error)", "CTAP 2.3 §11.2.4")])
            ])
        }
    }

    /// The messages whose last reports are missing.
    var unfinished: [DecodedPart] {
        open.sorted { $0.key.channel.rawValue < $1.key.channel.rawValue }.map { Self.unfinished($0.key, $0.value) }
    }

    private static func unfinished(
        _ key: Key, _ message: (assembler: CTAPHIDAssembler, expected: Int, next: UInt8)
    ) -> DecodedPart {
        DecodedPart(
            title: "\(message.assembler.command) on channel \(key.channel), not complete", length: message.expected,
            problems: [
                DecodingProblem(
                    "the message of \(Wording.counted(message.expected, "byte")) lacks its report with sequence number "
                        + "\(message.next) and those after it", "CTAP 2.3 §11.2.4")
            ])
    }

    // MARK: Messages

    mutating func add(payload: [UInt8], _ command: CTAPHIDCommand, _ isFromClient: Bool?) -> ExchangeStep {
        decode(nil, command, payload, isFromClient)
    }

    private mutating func decode(
        _ channel: CTAPHIDChannel?, _ command: CTAPHIDCommand, _ payload: [UInt8], _ isFromClient: Bool?
    ) -> ExchangeStep {
        let asked = requests[channel]
        let isRequest = isFromClient ?? Self.isRequest(command, payload, isAsked: asked != nil)
        if isRequest, command != .cancel { requests[channel] = (command, payload) }
        // A keepalive is no answer.
        if !isRequest, command != .keepalive { requests[channel] = nil }
        var step = ExchangeStep()
        var part: DecodedPart
        switch command {
        case .cbor where isRequest: part = Reading.requestPart(payload)
        case .cbor:
            let request = asked?.command == .cbor ? asked?.payload ?? [] : []
            part = Reading.responsePart(payload, to: request)
            if request.first == CTAPCommand.getInfo.rawValue { step.info = payload }
        case .message: part = CardExchange.u2f(payload, request: isRequest ? nil : asked?.payload ?? [])
        default: part = Self.control(command, payload, isRequest)
        }
        let place = channel.map { " on channel \($0)" } ?? ""
        part.title = "\(command)\(place), " + part.title
        if command == .initialize, let channel, channel == .reserved {
            part.problems.append(DecodingProblem("channel 0 is reserved", "CTAP 2.3 §11.2.3"))
        }
        step.parts = [ExchangeReader.directed(part, fromClient: isRequest)]
        return step
    }

    private static func isRequest(_ command: CTAPHIDCommand, _ payload: [UInt8], isAsked: Bool) -> Bool {
        switch command {
        case .initialize: payload.count < CTAPHIDInitialization.length
        case .keepalive, .error: false
        case .cancel: true
        default: !isAsked
        }
    }

    /// The lengths of the messages that carry no CTAP message, of a request and of a response (CTAP 2.3 §11.2.9).
    private static let lengths:
        [CTAPHIDCommand: (request: ClosedRange<Int>, response: ClosedRange<Int>, clause: String)] = [
            .initialize: (8...8, 17...64, "CTAP 2.3 §11.2.9.1.3"), .cancel: (0...0, 0...0, "CTAP 2.3 §11.2.9.1.5"),
            .error: (1...1, 1...1, "CTAP 2.3 §11.2.9.1.6"), .keepalive: (1...1, 1...1, "CTAP 2.3 §11.2.9.1.7"),
            .wink: (0...0, 0...0, "CTAP 2.3 §11.2.9.2.1"), .lock: (1...1, 0...0, "CTAP 2.3 §11.2.9.2.2"),
        ]

    private static func control(_ command: CTAPHIDCommand, _ payload: [UInt8], _ isRequest: Bool) -> DecodedPart {
        var part = DecodedPart(
            title: isRequest ? "request" : "response", length: payload.count)
        switch command {
        case .initialize where isRequest: part.fields = [.bytes("nonce", payload)]
        case .initialize:
            part.fields = CTAPHIDInitialization(payload: payload).map(fields) ?? [.bytes("bytes", payload)]
        case .keepalive:
            let words = payload.first.flatMap(KeepaliveStatus.init(rawValue:)).map {
                $0 == .userPresenceNeeded ? "waiting for the user" : "processing"
            }
            part.fields = payload.first.map { [.integer("status", Int($0), meaning: words)] } ?? []
        case .error:
            part.fields =
                payload.first.map {
                    [.integer("code", Int($0), meaning: "\(CTAPHIDErrorCode(rawValue: $0))")]
                } ?? []
        case .lock: part.fields = payload.first.map { [.integer("seconds", Int($0))] } ?? []
        default: part.fields = payload.isEmpty ? [] : [.bytes("data", payload)]
        }
        if let known = lengths[command] {
            let range = isRequest ? known.request : known.response
            if !range.contains(payload.count) {
                let words = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) or more"
                part.problems.append(
                    DecodingProblem(
                        "\(command) has \(Wording.counted(payload.count, "byte")), not \(words)", known.clause))
            }
        } else if ![.ping, .message, .cbor].contains(command), command.rawValue < 0x40 {
            part.problems.append(DecodingProblem("no specification names the \(command)", "CTAP 2.3 §11.2.9"))
        }
        return part
    }

    private static func fields(_ answer: CTAPHIDInitialization) -> [TraceField] {
        let version = answer.deviceVersion
        var capabilities: [String] = []
        if answer.capabilities.contains(.wink) { capabilities.append("WINK") }
        if answer.capabilities.contains(.cbor) { capabilities.append("CBOR") }
        capabilities.append(answer.capabilities.contains(.noMessage) ? "no U2F (NMSG)" : "U2F (MSG)")
        return [
            .bytes("nonce", answer.nonce), .text("channel", "\(answer.channel)"),
            .integer("protocol version", Int(answer.protocolVersion)),
            .text("device version", "\(version.major).\(version.minor).\(version.build)"),
            .integer(
                "capabilities", Int(answer.capabilities.rawValue), meaning: capabilities.joined(separator: ", ")),
        ]
    }
}

extension Reading {
    /// Whether bytes have the form of a report of a known command, or of one that follows it.
    static func isReport(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 64 || (bytes.count == 65 && bytes[0] == 0),
            let packet = try? CTAPHIDPacket(report: bytes.suffix(64).map(\.self)), packet.channel != .reserved
        else { return false }
        switch packet.header {
        case .initialization(let command, let length):
            let known: [CTAPHIDCommand] = [
                .ping, .message, .lock, .initialize, .wink, .cbor, .cancel, .keepalive, .error,
            ]
            return known.contains(command) && Int(length) <= CTAPHIDMessage.maximumPayloadLength
        // Without its beginning a continuation is any 64 bytes; those of long messages have the first numbers.
        case .continuation(let sequence): return sequence < 32
        }
    }

    /// Whole reports, one after the other.
    static func reports(_ bytes: [UInt8]) -> Reading? {
        let length = bytes.count.isMultiple(of: 64) ? 64 : 65
        guard !bytes.isEmpty, bytes.count.isMultiple(of: length) else { return nil }
        let pieces = stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<$0 + length]) }
        guard pieces.allSatisfy(isReport), let packet = try? CTAPHIDPacket(report: pieces[0].suffix(64).map(\.self))
        else { return nil }
        let reader = ExchangeReader(pieces.map { Fragment(bytes: $0, layer: .report) })
        let begins = if case .initialization = packet.header { true } else { false }
        return Reading(.reports, fits: begins, reader.parts, info: reader.info.flatMap { info($0) })
    }

    /// The map of an answer to getInfo with its status byte.
    static func info(_ answer: [UInt8]) -> CBOR.Value? { getInfo(answer)?.info }
}
