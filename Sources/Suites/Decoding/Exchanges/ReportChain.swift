internal import CTAPHID
internal import WebAuthn
internal import Wording

/// The message in the last reports of a log, beside the same message that the log has as a whole.
struct ReportChain {
    private(set) var payload: [UInt8] = []
    /// The number of bytes that the first report announces.
    private(set) var length = 0
    /// The channel of the first report.
    let channel: CTAPHIDChannel
    /// The line of the first report.
    let line: Int?
    private var problems: [DecodingProblem] = []
    /// Whether all reports can be read.
    private var isWhole = true
    private static let clause = "CTAP 2.3 §11.2.4"

    /// Nil for fragments without the beginning of a message; reports before it belong to others, such as keepalives.
    init?(_ reports: some BidirectionalCollection<Fragment>) {
        let packets = reports.map { (packet: Self.packet($0), fragment: $0) }
        guard let start = packets.lastIndex(where: { Self.length(of: $0.packet) != nil }),
            let first = packets[start].packet, let length = Self.length(of: first)
        else { return nil }
        self.length = length
        (channel, line) = (first.channel, packets[start].fragment.line)
        payload = Array(first.data.prefix(length))
        var next = 0
        for (packet, fragment) in packets[(start + 1)...] {
            guard let packet, fragment.problems.isEmpty, case .continuation(let sequence) = packet.header else {
                isWhole = false
                break
            }
            if Int(sequence) != next {
                problems.append(
                    .damage(
                        Fragment.place(fragment.line)
                            + "the sequence number is \(sequence), and continuation \(next) was expected", Self.clause))
            }
            if packet.channel != channel {
                problems.append(
                    .damage(
                        Fragment.place(fragment.line)
                            + "the channel is \(packet.channel), and its message began on channel \(channel)",
                        Self.clause))
            }
            next = Int(sequence) + 1
            payload += packet.data.prefix(length - min(length, payload.count))
        }
    }

    /// The contradictions between the reports and the message.
    func problems(beside message: [UInt8]) -> [DecodingProblem] {
        guard isWhole else { return problems }
        if length != message.count {
            return problems + [
                .damage(
                    "the first report announces \(Wording.counted(length, "byte")), and the message has \(message.count)",
                    Self.clause)
            ]
        }
        if payload.count < length {
            return problems + [
                .damage(
                    "the reports have \(payload.count) of the message's \(Wording.counted(length, "byte")): a report is missing",
                    Self.clause)
            ]
        }
        guard problems.isEmpty, let place = payload.indices.first(where: { payload[$0] != message[$0] }) else {
            return problems
        }
        return [
            .damage(
                "byte \(place) of the message is \(Hex.encode([message[place]])), and \(Hex.encode([payload[place]])) in its reports",
                Self.clause)
        ]
    }

    /// The packet in a fragment's bytes, also without the zeros that fill it.
    private static func packet(_ fragment: Fragment) -> CTAPHIDPacket? {
        let bytes = Fragment.report(fragment.bytes)
        guard bytes.count >= 5 else { return nil }
        return try? CTAPHIDPacket(report: Reading.padded(bytes))
    }

    private static func length(of packet: CTAPHIDPacket?) -> Int? {
        guard case .initialization(_, let length)? = packet?.header else { return nil }
        return Int(length)
    }
}
