internal import CTAP
internal import CTAPHID
internal import Trace
internal import Wording

/// Reads fragments in their order: assembles reports and chains, and pairs each response with its request.
struct ExchangeReader {
    private(set) var parts: [DecodedPart] = []
    /// The last answer to getInfo.
    private(set) var info: [UInt8]?
    /// Whether reports have their number 0 before them.
    private(set) var hasReportNumbers = false
    private var hid = ReportAssembly()
    private var card = CardExchange()
    /// The request without an answer, in messages that no transport carries.
    private var request: [UInt8]?
    /// The direction in which the text prints the client's messages.
    private var client = Fragment.Side.sent

    /// The conversation of fragments; a message without the rest of its reports, or without an answer, is named.
    init(_ fragments: [Fragment]) {
        if let first = fragments.first(where: { $0.side != nil }), Self.isFromDevice(first) == (first.side == .sent) {
            client = .received
        }
        for fragment in fragments { addWithDamage(fragment) }
        parts += hid.unfinished()
        attach()
    }

    /// Whether the bytes can only come from the device, such as the answer to INIT.
    private static func isFromDevice(_ fragment: Fragment) -> Bool {
        let isFirstReceived = fragment.side == .received
        switch layer(of: fragment) {
        case .report?:
            guard let packet = try? CTAPHIDPacket(report: Reading.padded(Fragment.report(fragment.bytes))),
                case .initialization(let command, let length) = packet.header
            else { return isFirstReceived }
            if command == .initialize { return length >= CTAPHIDInitialization.length }
            if command == .keepalive || command == .error { return true }
            return command == .cbor ? CTAPCommand(rawValue: packet.data[0]).name == nil : isFirstReceived
        case .payload(.initialize)?: return fragment.bytes.count >= CTAPHIDInitialization.length
        case .apdu?:
            return !CardExchange.isCommand(fragment.bytes) && !APDULengths.beginsCommand(fragment.bytes)
        default: return fragment.bytes.first.map { CTAPCommand(rawValue: $0).name == nil } ?? isFirstReceived
        }
    }

    /// The layer that the text names, or the one that the bytes have.
    private static func layer(of fragment: Fragment) -> Fragment.Layer? {
        if let layer = fragment.layer { return layer }
        if Reading.isReport(fragment.bytes) || Reading.isNearReport(fragment.bytes)
            || Reading.isUnfilledReport(fragment.bytes)
        {
            return .report
        }
        if CardExchange.isCommand(fragment.bytes) { return .apdu }
        if fragment.side == .received, CardExchange.isResponse(fragment.bytes) { return .apdu }
        return nil
    }

    /// The damage of fragments that completed no message yet.
    private var damage: [DecodingProblem] = []

    private mutating func addWithDamage(_ fragment: Fragment) {
        damage += fragment.problems
        let count = parts.count
        if fragment.bytes.isEmpty {
            parts.append(DecodedPart(title: "a line that cannot be read", length: 0))
            // The answer to a lost request does not belong to the one before.
            if fragment.side == client {
                card.forget()
                request = nil
            }
        } else {
            add(fragment)
        }
        guard parts.count > count else { return }
        for place in count..<parts.count where parts[place].line == nil { parts[place].line = fragment.line }
        attach()
    }

    /// Gives the damage to the last part.
    private mutating func attach() {
        guard !damage.isEmpty, !parts.isEmpty else { return }
        parts[parts.count - 1].problems = damage + parts[parts.count - 1].problems
        damage = []
    }

    private mutating func add(_ fragment: Fragment) {
        let isFromClient = fragment.side.map { $0 == client }
        let isContinuation = fragment.layer == nil && hid.expects(fragment.bytes)
        switch isContinuation ? .report : Self.layer(of: fragment) {
        case .report?:
            hasReportNumbers = hasReportNumbers || Fragment.report(fragment.bytes).count != fragment.bytes.count
            note(hid.add(report: Fragment.report(fragment.bytes), isFromClient, line: fragment.line))
        case .payload(let command)?: note(hid.add(payload: fragment.bytes, command, isFromClient))
        case .apdu?:
            // A response follows each command.
            let isCommand = isFromClient ?? !card.isWaiting
            note(isCommand ? card.add(command: fragment.bytes) : card.add(response: fragment.bytes))
        case nil where card.isWaiting && isFromClient != true: note(card.add(response: fragment.bytes))
        case nil: addMessage(fragment.bytes, isFromClient)
        }
    }

    private mutating func addMessage(_ bytes: [UInt8], _ isFromClient: Bool?) {
        let isRequest = isFromClient ?? (request == nil && Reading.request(bytes)?.fits == true)
        if isRequest {
            request = bytes
            parts.append(Self.directed(Reading.requestPart(bytes), fromClient: true))
        } else if let asked = request {
            request = nil
            if asked.first == CTAPCommand.getInfo.rawValue { info = bytes }
            parts.append(Self.directed(Reading.responsePart(bytes, to: asked), fromClient: false))
        } else if let best = Reading.all(of: bytes).first {
            parts += best.parts
            if best.kind == .getInfo { info = bytes }
        } else {
            parts.append(
                DecodedPart(
                    title: Wording.counted(bytes.count, "byte") + " of unknown meaning", length: bytes.count,
                    fields: [.bytes("bytes", bytes)]))
        }
    }

    private mutating func note(_ step: ExchangeStep) {
        parts += step.parts
        damage += step.problems
        if let answer = step.info { info = answer }
    }

    /// A part with its direction.
    static func directed(_ part: DecodedPart, fromClient: Bool) -> DecodedPart {
        var part = part
        part.title = (fromClient ? "client → device, " : "device → client, ") + part.title
        return part
    }
}

/// The parts that a fragment completes.
struct ExchangeStep {
    var parts: [DecodedPart] = []
    /// The damage of a fragment, which belongs to its message.
    var problems: [DecodingProblem] = []
    /// An answer to getInfo, with its status byte.
    var info: [UInt8]?
}
