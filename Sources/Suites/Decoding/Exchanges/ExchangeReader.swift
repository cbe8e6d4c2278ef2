internal import CTAP
internal import CTAPHID
internal import Trace
internal import Wording

/// Reads fragments in their order: assembles reports and chains, and pairs each response with its request.
struct ExchangeReader {
    private(set) var parts: [DecodedPart] = []
    /// The last answer to getInfo.
    private(set) var info: [UInt8]?
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
        for fragment in fragments { add(fragment) }
        parts += hid.unfinished
    }

    /// Whether the bytes can only come from the device, such as the answer to INIT.
    private static func isFromDevice(_ fragment: Fragment) -> Bool {
        let isFirstReceived = fragment.side == .received
        switch layer(of: fragment) {
        case .report?:
            guard let packet = try? CTAPHIDPacket(report: report(fragment.bytes)),
                case .initialization(let command, let length) = packet.header
            else { return isFirstReceived }
            if command == .initialize { return length >= CTAPHIDInitialization.length }
            if command == .keepalive || command == .error { return true }
            return command == .cbor ? CTAPCommand(rawValue: packet.data[0]).name == nil : isFirstReceived
        case .payload(.initialize)?: return fragment.bytes.count >= CTAPHIDInitialization.length
        case .apdu?: return !CardExchange.isCommand(fragment.bytes)
        default: return fragment.bytes.first.map { CTAPCommand(rawValue: $0).name == nil } ?? isFirstReceived
        }
    }

    /// The 64 bytes of a report, without the report number 0 that some programs put before them.
    private static func report(_ bytes: [UInt8]) -> [UInt8] { bytes.count == 65 ? Array(bytes.dropFirst()) : bytes }

    /// The layer that the text names, or the one that the bytes have.
    private static func layer(of fragment: Fragment) -> Fragment.Layer? {
        if let layer = fragment.layer { return layer }
        if Reading.isReport(fragment.bytes) { return .report }
        if CardExchange.isCommand(fragment.bytes) { return .apdu }
        if fragment.side == .received, CardExchange.isResponse(fragment.bytes) { return .apdu }
        return nil
    }

    private mutating func add(_ fragment: Fragment) {
        let isFromClient = fragment.side.map { $0 == client }
        switch Self.layer(of: fragment) {
        case .report?: note(hid.add(report: Self.report(fragment.bytes), isFromClient))
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
    /// An answer to getInfo, with its status byte.
    var info: [UInt8]?
}
