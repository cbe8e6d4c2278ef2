internal import CTAPHID

/// A line of libfido2's debug output (`FIDO_DEBUG=1`): the meaning of the rows after it.
struct LibFIDO2Line {
    enum Rows: Hashable, Sendable {
        /// A whole message.
        case message(Fragment.Side)
        /// A report, whose message follows as a whole.
        case report
        /// An APDU, whose message stands in the log as a whole.
        case card(Fragment.Side)
        /// Bytes of a message that stands elsewhere in the log, such as authenticator data.
        case part
    }

    let rows: Rows
    /// The command that the line names, such as that of `cmd=0x10`.
    private(set) var command: CTAPHIDCommand?
    /// The device that the line names, such as that of `dev=0x55d59f7a4e50`.
    private(set) var device: Substring?
    /// The number of bytes that the rows have; nil for a line without rows.
    private(set) var announced: Int?
    /// The length of a message that its first report states.
    private(set) var payloadLength: Int?
    /// Whether no other program writes such a line.
    let isSure: Bool

    /// The functions that write messages and reports.
    private static let functions = ["fido_tx", "fido_rx", "rx_preamble", "tx", "rx"]
    private static let cards = ["fido_pcsc_", "fido_nfc_", "nfc_"]

    /// Nil for a line that another program wrote.
    init?(_ line: Substring) {
        let text = line.trimmed
        guard let colon = text.firstIndex(of: ":"), Self.isFunction(text[..<colon]) else { return nil }
        let name = text[..<colon]
        let rest = text[text.index(after: colon)...]
        let isDump = rest.contains("buf=")
        // `tx: 06a2…` of another program has its bytes in the line.
        let isMessage = Self.functions.contains(String(name)) && (rest.contains("=") || rest.contains(" at "))
        isSure = isMessage && (isDump || rest.contains("dev=") || rest.contains(" at ") || rest.contains("cmd=0x"))
        guard isMessage || isDump || name.contains("_") else { return nil }
        if let place = rest.firstRange(of: "cmd=0x") {
            command = UInt8(rest[place.upperBound...].prefix { $0.isHexDigit }, radix: 16).map {
                CTAPHIDCommand(rawValue: $0)
            }
        }
        device = rest.split { $0.isWhitespace || ",:".contains($0) }.first {
            $0.hasPrefix("dev=") || $0.hasPrefix("d=")
        }?.drop { $0 != "=" }.dropFirst()
        payloadLength = AnnouncedLength.value(of: "payload_len", in: rest)
        let isSent = name.hasSuffix("tx")
        if isMessage {
            let isReport =
                name == "rx_preamble" || rest.contains("frame") || (name == "rx" && !rest.contains("payload"))
            rows = isReport ? .report : .message(isSent ? .sent : .received)
            // `count` is the room for an answer, and the length of a request.
            announced = AnnouncedLength.find(rest) ?? (isSent ? AnnouncedLength.value(of: "count", in: rest) : nil)
        } else if isDump, Self.cards.contains(where: name.hasPrefix) {
            rows = .card(Self.side(rest) ?? (isSent || name.hasSuffix("write") ? .sent : .received))
            announced = AnnouncedLength.find(rest)
        } else {
            rows = .part
            announced = isDump ? AnnouncedLength.find(rest) : nil
        }
        if announced == 0 { announced = nil }
    }

    /// The direction that the words before a dump name: `fido_pcsc_write: read: buf=…` has the answer.
    private static func side(_ rest: Substring) -> Fragment.Side? {
        let words = rest.prefix { $0 != "=" }.split { $0.isWhitespace || $0 == ":" }
        if words.contains(where: { ["writing", "write", "tx", "sending"].contains($0) }) { return .sent }
        return words.contains { ["reading", "read", "rx", "received"].contains($0) } ? .received : nil
    }

    /// Whether a word is the name of a function in C.
    private static func isFunction(_ word: Substring) -> Bool {
        !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "_") }
    }

    /// Whether a word begins a line of libfido2, wherever it stands: a function of ``functions`` with its colon.
    static func begins(_ word: Substring) -> Bool { word.hasSuffix(":") && functions.contains(String(word.dropLast())) }
}
