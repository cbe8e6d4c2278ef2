internal import CTAPHID
internal import Foundation
internal import WebAuthn
internal import Wording

/// Finds the bytes in a log: those of libfido2, pcscd, python-fido2, Windows, OpenSK, bridges and other tools.
struct LogReader {
    private(set) var fragments: [Fragment] = []
    /// The program whose form the log has; nil for no known one.
    private(set) var program: String?

    /// The meaning that the last line without bytes gives to the rows after it.
    private struct Heading {
        var side: Fragment.Side?
        var layer: Fragment.Layer?
        /// Whether the rows repeat bytes that stand elsewhere in the log.
        var isRepetition = false
        /// The number of bytes that the rows have, and the line that says it.
        var announced: (count: Int, line: Int)?
        /// Whether rows must follow.
        var needsRows = false
    }

    private var heading = Heading()
    private var block: (rows: DumpBlock, heading: Heading)?
    /// The command of libfido2's last `fido_tx` and `fido_rx`.
    private var commands: [Fragment.Side: CTAPHIDCommand] = [:]
    /// Reports whose message libfido2 may print once more as a whole.
    private var pending: [Fragment] = []

    init(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let hasAPDUs = lines.contains { $0.contains("APDU: ") }
        for (place, line) in lines.enumerated() {
            read(line, number: place + 1, hasAPDUs: hasAPDUs)
        }
        close()
        conclude()
        fragments += pending
    }

    private mutating func read(_ line: Substring, number: Int, hasAPDUs: Bool) {
        switch DumpRow.read(line, isExpected: block != nil || heading.announced != nil) {
        case .row(let row):
            if block == nil || Self.begins(row.offset) { open(number) }
            block?.rows.add(row, line: number)
            return
        case .damaged(let damage, let row):
            if block == nil || Self.begins(row.offset) { open(number) }
            block?.rows.add(damage, row, line: number)
            return
        case .other: if block?.rows.takes(line, number: number) ?? false { return }
        }
        close()
        guard !line.trimmed.isEmpty else { return }
        if readLibfido2(line, number) { return }
        let words = LogLine(line, isAnnounced: heading.announced != nil)
        // pcscd prints the frames of the reader around the same APDUs.
        if hasAPDUs, !line.contains("APDU:"), !line.contains("SW:") { return }
        if let program = words.program { self.program = program }
        if var found = words.fragment {
            found.line = number
            if found.side == nil { found.side = heading.side }
            if let count = words.announced, count != found.bytes.count {
                found.problems.append(
                    .damage("line \(number) announces \(count) bytes, and has \(found.bytes.count)"))
            } else if let (count, line) = heading.announced, count != found.bytes.count {
                found.problems.append(
                    .damage("line \(line) announces \(count) bytes, and \(found.bytes.count) follow"))
            }
            heading.announced = nil
            append(found)
        } else if let damage = words.damage, words.side != nil || heading.side != nil {
            append(
                Fragment(
                    bytes: [], side: words.side ?? heading.side, line: number,
                    problems: [.damage("line \(number) cannot be read: \(damage.reason)")]))
            heading.announced = nil
        } else if let status = words.statusWord, !fragments.isEmpty, fragments[fragments.count - 1].side != .sent {
            fragments[fragments.count - 1].bytes += status
            fragments[fragments.count - 1].layer = .apdu
        } else if words.side != nil {
            heading = Heading(side: words.side, announced: AnnouncedLength.find(line).map { ($0, number) })
        }
    }

    private static func begins(_ offset: Substring?) -> Bool { offset?.allSatisfy { $0 == "0" } ?? false }

    // MARK: Rows

    private mutating func open(_ number: Int) {
        close()
        block = (DumpBlock(line: number), heading)
        heading.announced = nil
        heading.needsRows = false
    }

    private mutating func close() {
        guard let (open, heading) = block else { return }
        block = nil
        var rows = open
        if let (count, line) = heading.announced { rows.check(announced: count, line: line) }
        let fragment = Fragment(
            bytes: rows.bytes, side: heading.side, layer: heading.layer, line: rows.line, problems: rows.problems)
        if heading.isRepetition { pending.append(fragment) } else { append(fragment) }
    }

    /// Ends a heading; rows that it announces and that do not follow are missing.
    private mutating func conclude() {
        guard heading.needsRows, let (count, line) = heading.announced else { return }
        let missing = Fragment(
            bytes: [], side: heading.side, line: line,
            problems: [.damage("line \(line) announces " + Wording.counted(count, "byte") + ", and none follow")])
        if heading.isRepetition { pending.append(missing) } else { append(missing) }
    }

    private mutating func append(_ fragment: Fragment) {
        var fragment = fragment
        if case .payload? = fragment.layer {
            // The whole message replaces its reports.
            if fragment.side == .sent {
                fragments += pending
            } else {
                fragment.problems = pending.flatMap(\.problems) + fragment.problems
            }
            pending = []
        }
        // Bridges print a report when it arrives and when they read it, once with its number.
        if let last = fragments.last, last.bytes.suffix(64) == fragment.bytes.suffix(64), last.bytes.count >= 64,
            last.side == fragment.side || last.side == nil || fragment.side == nil
        {
            return
        }
        fragments.append(fragment)
    }

    // MARK: libfido2

    /// Reads a line of libfido2: `fido_tx: dev=…, cmd=0x10`, `fido_rx: buf=…, len=17`, `rx: payload at …, len 81`.
    private mutating func readLibfido2(_ line: Substring, _ number: Int) -> Bool {
        let text = line.trimmed
        guard let name = ["fido_tx:", "fido_rx:", "tx:", "rx:", "rx_preamble:"].first(where: { text.hasPrefix($0) })
        else {
            // Its other lines name no bytes; its transports print the APDUs of NFC.
            let names = ["fido_", "nfc_", "rx_", "tx_"]
            guard names.contains(where: { text.hasPrefix($0) }) else { return program == "libfido2" }
            let isWrite = text.contains("_write:") || text.contains("_tx:")
            conclude()
            heading = Heading(side: isWrite ? .sent : .received, layer: nil, isRepetition: true)
            return true
        }
        program = "libfido2"
        let side: Fragment.Side = name.contains("tx") ? .sent : .received
        if let place = text.range(of: "cmd=0x"),
            let byte = UInt8(text[place.upperBound...].prefix { $0.isHexDigit }, radix: 16)
        {
            commands[side] = CTAPHIDCommand(rawValue: byte)
        }
        let isReport = name == "rx_preamble:" || text.contains("frame") || (name == "rx:" && !text.contains("payload"))
        conclude()
        if isReport {
            heading = Heading(side: .received, layer: .report, isRepetition: true)
        } else {
            heading = Heading(
                side: side, layer: (commands[side] ?? commands[.sent]).map(Fragment.Layer.payload), isRepetition: false)
        }
        // `count` is the room for an answer, and the length of a request.
        let length = AnnouncedLength.find(text) ?? (side == .sent ? AnnouncedLength.value(of: "count", in: text) : nil)
        heading.announced = length.flatMap { $0 > 0 ? ($0, number) : nil }
        heading.needsRows = heading.announced != nil
        return true
    }
}
