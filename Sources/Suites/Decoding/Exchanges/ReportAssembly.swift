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

    /// A message whose last report has not come.
    private struct OpenMessage {
        var assembler: CTAPHIDAssembler
        let length: Int
        let line: Int?
        /// The next sequence number.
        var next = 0
        /// The number of bytes that the reports so far have room for.
        var reached = CTAPHIDPacket.initializationDataLength
        /// The damage; after it no more bytes are taken.
        var problems: [DecodingProblem] = []
        /// The number of bytes that the next report brings.
        var wanted: Int { min(length - reached, CTAPHIDPacket.continuationDataLength) }
    }

    private var open: [Key: OpenMessage] = [:]
    /// The nonces of INIT without an answer: each client sees the answers to all of them on the broadcast channel.
    private var nonces: [[UInt8]] = []
    /// The requests without an answer.
    private var requests: [CTAPHIDChannel?: (command: CTAPHIDCommand, payload: [UInt8])] = [:]
    /// The channels of requests.
    private var channels: Set<CTAPHIDChannel?> = []
    private static let clause = "CTAP 2.3 §11.2.4"
    /// The bytes before the data: the channel, the command or sequence number, and the length in a first report.
    private static let (firstHead, continuationHead) = (7, 5)

    // MARK: Reports

    mutating func add(report bytes: [UInt8], _ isFromClient: Bool?, line: Int?) -> ExchangeStep {
        let packet: CTAPHIDPacket
        let padded = Array(bytes.prefix(CTAPHIDPacket.length))
        let missing = CTAPHIDPacket.length - padded.count
        do {
            packet = try CTAPHIDPacket(report: padded + [UInt8](repeating: 0, count: bytes.count < 7 ? 0 : missing))
        } catch {
            return Self.lone("report", bytes, line, .damage("\(error)", Self.clause))
        }
        var problems: [DecodingProblem] = []
        if bytes.count != CTAPHIDPacket.length {
            problems.append(
                .damage(
                    Fragment.place(line) + "a report has \(CTAPHIDPacket.length) bytes, not \(bytes.count)", Self.clause
                ))
        }
        let key = Key(channel: packet.channel, isFromClient: isFromClient)
        var step = ExchangeStep()
        switch packet.header {
        case .initialization(_, let length):
            if let former = open.removeValue(forKey: key) { step.parts.append(unfinished(key, former)) }
            do {
                let assembler = try CTAPHIDAssembler(first: packet)
                open[key] = OpenMessage(assembler: assembler, length: Int(length), line: line)
            } catch {
                let problem = DecodingProblem.damage("\(error)", Self.clause)
                step.parts += Self.lone("report on channel \(packet.channel)", bytes, line, problem).parts
                return step
            }
            // The padding of a short report may be missing.
            let used = min(Int(length), CTAPHIDPacket.initializationDataLength)
            open[key]?.problems = padded.count >= Self.firstHead + used ? [] : problems
            // python-fido2 logs a report before it fills it with zeros.
            if bytes.count > Self.firstHead + used { step.problems = problems }
        case .continuation(let sequence):
            guard var message = open[key] else {
                return Self.lone(
                    "report on channel \(packet.channel)", bytes, line,
                    .damage(
                        "a continuation packet with the sequence number \(sequence), without the beginning of its message",
                        Self.clause))
            }
            if Int(sequence) != message.next {
                message.problems.append(
                    .damage(
                        Fragment.place(line)
                            + "the sequence number is \(sequence), and continuation \(message.next) was expected: "
                            + (Int(sequence) > message.next
                                ? "a report is missing, or reports are out of order"
                                : "reports are repeated or out of order"),
                        Self.clause))
            }
            let end = Self.continuationHead + message.wanted
            if padded.count < end { message.problems += problems }
            if bytes.count > end { step.problems = problems }
            if message.problems.isEmpty { try? message.assembler.append(packet) }
            message.next = Int(sequence) + 1
            message.reached += CTAPHIDPacket.continuationDataLength
            open[key] = message
        }
        guard let message = open[key] else { return step }
        if message.problems.isEmpty, let whole = message.assembler.message {
            open[key] = nil
            var decoded = decode(whole.channel, whole.command, whole.payload, isFromClient)
            decoded.parts[0].line = message.line
            step.parts += decoded.parts
            step.info = decoded.info
        } else if !message.problems.isEmpty, message.reached >= message.length {
            open[key] = nil
            step.parts.append(unfinished(key, message))
        }
        return step
    }

    private static func lone(_ title: String, _ bytes: [UInt8], _ line: Int?, _ problem: DecodingProblem)
        -> ExchangeStep
    {
        ExchangeStep(parts: [
            DecodedPart(
                title: title, length: bytes.count, line: line, fields: [.bytes("bytes", bytes)], problems: [problem])
        ])
    }

    /// Whether a message on the channel waits for the continuation that bytes are.
    func expects(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > Self.continuationHead else { return false }
        return open.contains { key, message in
            bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } == key.channel.rawValue && Int(bytes[4]) == message.next
                && ((50...70).contains(bytes.count) || bytes.count == Self.continuationHead + message.wanted)
        }
    }

    /// The messages whose last reports are missing.
    mutating func unfinished() -> [DecodedPart] {
        let messages = open.sorted { $0.key.channel.rawValue < $1.key.channel.rawValue }
        open.removeAll()
        return messages.map { unfinished($0.key, $0.value) }
    }

    /// A message without all of its bytes, with the members before the first missing one.
    private mutating func unfinished(_ key: Key, _ message: OpenMessage) -> DecodedPart {
        let received = message.assembler.payload
        var part = decode(key.channel, message.assembler.command, received, key.isFromClient).parts[0]
        part = DecodedPart(
            title: part.title + ", not complete", length: received.count, line: message.line, fields: part.fields,
            problems: message.problems)
        if part.problems.isEmpty {
            part.problems = [
                .damage(
                    "the message of \(Wording.counted(message.length, "byte")) lacks its report with sequence number "
                        + "\(message.next) and those after it", Self.clause)
            ]
        }
        return part
    }

    // MARK: Messages

    mutating func add(payload: [UInt8], _ command: CTAPHIDCommand, _ isFromClient: Bool?) -> ExchangeStep {
        decode(nil, command, payload, isFromClient)
    }

    private mutating func decode(
        _ channel: CTAPHIDChannel?, _ command: CTAPHIDCommand, _ payload: [UInt8], _ isFromClient: Bool?
    ) -> ExchangeStep {
        let asked = requests[channel]
        let others = requests.keys.filter { $0 != channel }
        let isRequest = isFromClient ?? Self.isRequest(command, payload, isAsked: asked != nil)
        if isRequest, command != .cancel { requests[channel] = (command, payload) }
        if isRequest, command == .initialize { nonces.append(payload) }
        let nonce = isRequest || command != .initialize ? nil : CTAPHIDInitialization(payload: payload)?.nonce
        let isOfAnother = nonce.map { !nonces.contains($0) } ?? false
        nonces.removeAll { $0 == nonce }
        // A keepalive leaves the request open, and so does the answer to another client.
        if !isRequest, command != .keepalive, !isOfAnother { requests[channel] = nil }
        var step = ExchangeStep()
        var part: DecodedPart
        switch command {
        case .cbor where isRequest: part = Reading.requestPart(payload)
        case .cbor:
            let request = asked?.command == .cbor ? asked?.payload : nil
            let lone = request == nil ? Reading.getInfo(payload) ?? Reading.response(payload, to: nil) : nil
            part = lone?.parts[0] ?? Reading.responsePart(payload, to: request ?? [])
            if request?.first == CTAPCommand.getInfo.rawValue || lone?.info != nil { step.info = payload }
        case .message: part = CardExchange.u2f(payload, request: isRequest ? nil : asked?.payload ?? [])
        default: part = Self.control(command, payload, isRequest)
        }
        let place = channel.map { " on channel \($0)" } ?? ""
        part.title = "\(command)\(place), " + part.title
        if channel == .reserved {
            part.problems.append(DecodingProblem("channel 0 is reserved", "CTAP 2.3 §11.2.3"))
        }
        if channel == .broadcast, isRequest, command != .initialize {
            part.problems.append(
                DecodingProblem(
                    "the broadcast channel takes INIT only; a device answers INVALID_CHANNEL", "CTAP 2.3 §11.2.3"))
        }
        if isFromClient == false, ![.keepalive, .error].contains(command) {
            part.problems += Self.mismatch(channel, command, asked?.command, others, isNew: !channels.contains(channel))
        }
        if isRequest { channels.insert(channel) }
        // A log may begin with an answer.
        if isOfAnother, asked?.command == .initialize {
            part.problems.append(
                DecodingProblem(
                    "the nonce is of no INIT before it: the answer is another client's, or the device changed the nonce",
                    "CTAP 2.3 §11.2.9.1.3"))
        }
        step.parts = [ExchangeReader.directed(part, fromClient: isRequest)]
        return step
    }

    /// An answer with another command than its request, or on a channel that no request used.
    private static func mismatch(
        _ channel: CTAPHIDChannel?, _ command: CTAPHIDCommand, _ asked: CTAPHIDCommand?, _ others: [CTAPHIDChannel?],
        isNew: Bool
    ) -> [DecodingProblem] {
        if let asked, asked != command {
            return [.damage("the answer is \(command), and the request was \(asked)", clause)]
        }
        guard asked == nil, isNew, others.count == 1, let channel, channel != .broadcast, let other = others[0] else {
            return []
        }
        return [.damage("the answer is on channel \(channel), and the request was on channel \(other)", clause)]
    }

    private static func isRequest(_ command: CTAPHIDCommand, _ payload: [UInt8], isAsked: Bool) -> Bool {
        switch command {
        case .initialize: payload.count < CTAPHIDInitialization.length
        case .keepalive, .error: false
        case .cancel: true
        case .cbor where !isAsked:
            // Alone, a response tells by its first byte.
            Reading.request(payload)?.fits ?? (payload.first.map { CTAPCommand(rawValue: $0).name != nil } ?? true)
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
        case .lock:
            part.fields = payload.first.map { [.integer("seconds", Int($0))] } ?? []
            if isRequest, let seconds = payload.first, seconds > 10 {
                part.problems.append(
                    DecodingProblem("a lock lasts 0 to 10 seconds, not \(seconds)", "CTAP 2.3 §11.2.9.2.2"))
            }
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
            let packet = try? CTAPHIDPacket(report: bytes.suffix(64).map(\.self))
        else { return false }
        switch packet.header {
        case .initialization(let command, let length):
            let known: [CTAPHIDCommand] = [
                .ping, .message, .lock, .initialize, .wink, .cbor, .cancel, .keepalive, .error,
            ]
            // Zeros also begin other bytes; none of those has a message's length and zeros behind it.
            let isFilled = packet.data.dropFirst(Int(length)).allSatisfy { $0 == 0 }
            return known.contains(command) && Int(length) <= CTAPHIDMessage.maximumPayloadLength
                && (packet.channel != .reserved || isFilled)
        // Without its beginning a continuation is any 64 bytes; those of long messages have the first numbers.
        case .continuation(let sequence): return sequence < 32 && packet.channel != .reserved
        }
    }

    /// Whether bytes begin like the first report of a message, and have nearly its length.
    static func isNearReport(_ bytes: [UInt8]) -> Bool {
        guard (56...72).contains(bytes.count), bytes.count != CTAPHIDPacket.length else { return false }
        let padded = Array((bytes + [UInt8](repeating: 0, count: 8)).prefix(CTAPHIDPacket.length))
        guard isReport(padded), let packet = try? CTAPHIDPacket(report: padded),
            case .initialization(let command, let length) = packet.header
        else { return false }
        // A message of CTAP begins with a command or a status, and then a map.
        guard command == .cbor, length > 1 else { return packet.channel == .broadcast || length <= 17 }
        return (0xA0...0xBF).contains(packet.data[1])
    }

    /// Whether bytes are the beginning of a message's first report, cut before the data that it announces.
    static func isCutReport(_ bytes: [UInt8]) -> Bool {
        guard (8..<56).contains(bytes.count), isReport(padded(bytes)),
            let packet = try? CTAPHIDPacket(report: padded(bytes)), packet.channel != .reserved,
            case .initialization(let command, let length) = packet.header,
            min(Int(length), CTAPHIDPacket.initializationDataLength) > bytes.count - 7
        else { return false }
        // A message of CTAP begins with a command or a status, one of U2F with the class 0.
        return switch command {
        case .cbor: CTAPCommand(rawValue: bytes[7]).name != nil || CTAPStatus(rawValue: bytes[7]).name != nil
        case .message: bytes[7] == 0
        default: packet.channel == .broadcast
        }
    }

    /// Whether bytes are the first report of a message without the zeros that fill it, as python-fido2 logs those it sends.
    static func isUnfilledReport(_ bytes: [UInt8]) -> Bool {
        guard (7..<CTAPHIDPacket.length).contains(bytes.count), bytes[4] & 0x80 != 0,
            Int(bytes[5]) << 8 | Int(bytes[6]) == bytes.count - 7
        else { return false }
        return isReport(padded(bytes))
    }

    /// The bytes of a report with the zeros that fill it.
    static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: max(0, CTAPHIDPacket.length - bytes.count))
    }

    /// Whole reports, one after the other.
    static func reports(_ bytes: [UInt8]) -> Reading? {
        let length = bytes.count.isMultiple(of: 64) ? 64 : bytes.count.isMultiple(of: 65) ? 65 : bytes.count
        guard !bytes.isEmpty else { return nil }
        let pieces = stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<$0 + length]) }
        let areReports = pieces.allSatisfy(isReport) || (pieces.count == 1 && isUnfilledReport(bytes))
        guard areReports || (pieces.count == 1 && (isNearReport(bytes) || isCutReport(bytes))) else { return nil }
        let first = padded(Array(pieces[0].suffix(CTAPHIDPacket.length)))
        let begins = if case .initialization? = (try? CTAPHIDPacket(report: first))?.header { true } else { false }
        let reader = ExchangeReader(pieces.map { Fragment(bytes: $0, layer: .report) })
        var parts = reader.parts
        if reader.hasReportNumbers, !parts.isEmpty { parts[0].title += ", with hidapi's report number 0 before it" }
        // Any 64 bytes have the form of a continuation.
        return Reading(
            .reports, match: areReports ? (begins ? .whole : .forced) : .beginning, parts,
            info: reader.info.flatMap { info($0) })
    }

    /// The map of an answer to getInfo with its status byte.
    static func info(_ answer: [UInt8]) -> CBOR.Value? { getInfo(answer)?.info }
}
