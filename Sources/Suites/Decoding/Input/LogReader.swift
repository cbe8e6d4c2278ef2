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
        /// The bearing of the rows on the messages of the log.
        enum Use {
            case message
            /// A message that libfido2 also prints as a whole.
            case repetition
            /// A part of a message that stands elsewhere.
            case part
        }

        var side: Fragment.Side?
        var layer: Fragment.Layer?
        var use = Use.message
        /// The number of bytes that the rows have, and the line that says it.
        var announced: (count: Int, line: Int)?
        /// Whether rows must follow.
        var needsRows = false
        /// The status word of the response in the rows, which follow the line.
        var statusWord: [UInt8] = []
        var line: Int?
    }

    private var heading = Heading()
    private var block: (rows: DumpBlock, heading: Heading)?
    /// The command of libfido2's last `fido_tx` and `fido_rx`.
    private var commands: [Fragment.Side: CTAPHIDCommand] = [:]
    /// The length of the message whose reports come, and the line of libfido2 that states it.
    private var payloadLength: (count: Int, line: Int)?
    /// The device of libfido2's last line, and the channel of each.
    private var device: Substring?
    private var channels: [Substring?: CTAPHIDChannel] = [:]
    /// Reports whose message libfido2 may print once more as a whole.
    private var pending: [Fragment] = []
    /// The words before the bytes of the last line with bytes, and of the line before it.
    private var labels: (last: String?, current: String?)
    /// Whether the log has each line twice, as with two handlers of a logger.
    private let isDoubled: Bool
    private let isLibFIDO2: Bool
    private let hasAPDUs: Bool

    init(_ text: String) {
        let lines = LogLines.plain(text)
        let filled = lines.filter { !$0.trimmed.isEmpty }
        isDoubled =
            filled.count > 3 && filled.count.isMultiple(of: 2)
            && stride(from: 0, to: filled.count, by: 2).allSatisfy { filled[$0] == filled[$0 + 1] }
        isLibFIDO2 = lines.contains { LibFIDO2Line($0)?.isSure == true }
        hasAPDUs = lines.contains { $0.contains("APDU: ") }
        program = isLibFIDO2 ? "libfido2" : nil
        for (place, line) in lines.enumerated() { read(line, number: place + 1) }
        close()
        conclude()
        fragments += pending
    }

    private mutating func read(_ line: Substring, number: Int) {
        let isExpected = block != nil || heading.announced != nil || !heading.statusWord.isEmpty
        switch DumpRow.read(line, isExpected: isExpected) {
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
        if isLibFIDO2 {
            // Its programs print listings among the lines.
            if let found = LibFIDO2Line(line) { take(found, number) }
            return
        }
        let words = LogLine(line, isAnnounced: heading.announced != nil)
        // pcscd prints the frames of the reader around the same APDUs.
        if hasAPDUs, !line.contains("APDU:"), !line.contains("SW:") { return }
        if let program = words.program { self.program = program }
        take(words, line, number)
    }

    private mutating func take(_ words: LogLine, _ line: Substring, _ number: Int) {
        if words.side != nil { conclude() }
        labels.current = nil
        if var found = words.fragment {
            found.line = number
            labels.current = words.side == nil ? nil : Self.label(line)
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
            (heading.statusWord, heading.line) = (words.statusWordBefore, number)
            if !heading.statusWord.isEmpty { heading.layer = .apdu }
        }
    }

    private static func begins(_ offset: Substring?) -> Bool { offset?.allSatisfy { $0 == "0" } ?? false }

    // MARK: Rows

    private mutating func open(_ number: Int) {
        close()
        block = (DumpBlock(line: number), heading)
        // Each dump of libfido2 has a line of its own.
        if isLibFIDO2 { heading = Heading(use: .part) }
        heading.announced = nil
        heading.needsRows = false
        heading.statusWord = []
    }

    private mutating func close() {
        guard let (open, heading) = block else { return }
        block = nil
        var rows = open
        if let (count, line) = heading.announced { rows.check(announced: count, line: line) }
        add(
            Fragment(
                bytes: rows.bytes + heading.statusWord, side: heading.side, layer: heading.layer, line: rows.line,
                problems: rows.problems),
            heading.use)
    }

    /// Ends a heading; rows that it announces and that do not follow are missing.
    private mutating func conclude() {
        if !heading.statusWord.isEmpty, let line = heading.line {
            append(
                Fragment(
                    bytes: heading.statusWord, side: heading.side, layer: heading.layer, line: line,
                    problems: [.damage("line \(line) announces the rows of a response, and none follow")]))
            heading.statusWord = []
        }
        guard heading.needsRows, let (count, line) = heading.announced else { return }
        add(
            Fragment(
                bytes: [], side: heading.side, line: line,
                problems: [.damage("line \(line) announces " + Wording.counted(count, "byte") + ", and none follow")]),
            heading.use)
    }

    private mutating func add(_ fragment: Fragment, _ use: Heading.Use) {
        switch use {
        case .message: append(fragment)
        case .repetition:
            // A reader's answer is printed when it arrives and when it is read.
            let isSecond = fragment.layer == .apdu && pending.last?.bytes == fragment.bytes
            if !isSecond || pending.last?.side != fragment.side { pending.append(fragment) }
        case .part:
            guard !fragment.problems.isEmpty else { return }
            if fragments.isEmpty {
                fragments.append(Fragment(bytes: [], line: fragment.line, problems: fragment.problems))
            } else {
                fragments[fragments.count - 1].problems += fragment.problems
            }
        }
    }

    private mutating func append(_ fragment: Fragment) {
        var fragment = fragment
        if case .payload? = fragment.layer {
            // The whole message replaces its reports.
            if fragment.side == .sent {
                fragments += pending
            } else {
                fragment.problems = pending.flatMap(\.problems) + fragment.problems + contradictions(fragment)
            }
            pending = []
            payloadLength = nil
        }
        if let last = fragments.last {
            // Bridges print a report when it arrives and when they read it, once with its number.
            let isSecond = last.bytes.count >= 64 && last.bytes.suffix(64) == fragment.bytes.suffix(64)
            // One line of the program for each report: the device sent it twice.
            let isRepeated = labels.current != nil && labels.current == labels.last && !isDoubled
            if isSecond, !isRepeated, last.side == fragment.side || last.side == nil || fragment.side == nil { return }
            // They print its message, too.
            if fragment.side == nil, last.side != nil, message(endingWith: last)?.payload == fragment.bytes { return }
        }
        fragments.append(fragment)
        labels.last = labels.current
    }

    /// The letters of a line before its last word, which has the bytes.
    private static func label(_ line: Substring) -> String {
        line.split(whereSeparator: \.isWhitespace).dropLast().joined(separator: " ").filter { !$0.isNumber }
    }

    /// The message whose last report is the last fragment.
    private func message(endingWith last: Fragment) -> ReportChain? {
        ReportChain(fragments.suffix(Self.mostReports).reversed().prefix { $0.side == last.side }.reversed())
    }

    /// The most reports of one message: a first one, and continuations with the numbers 0 to 127.
    private static let mostReports = 129

    /// The contradictions between a message and the reports that the log has before it.
    private mutating func contradictions(_ message: Fragment) -> [DecodingProblem] {
        guard message.problems.isEmpty, !message.bytes.isEmpty else { return [] }
        let reports = pending.filter { $0.layer == .report }
        let chain = ReportChain(reports)
        var problems = chain?.problems(beside: message.bytes) ?? []
        if let chain { problems += otherChannel(chain, message) }
        guard problems.isEmpty, let (count, line) = payloadLength, count != message.bytes.count else { return problems }
        return [
            .damage("line \(line) says payload_len=\(count), and the message has \(message.bytes.count) bytes")
        ]
    }

    /// The contradiction between the channel of an answer and the one that the device gave (CTAP 2.3 §11.2.9.1.3).
    private mutating func otherChannel(_ chain: ReportChain, _ message: Fragment) -> [DecodingProblem] {
        if message.layer == .payload(.initialize) {
            channels[device] = CTAPHIDInitialization(payload: message.bytes)?.channel
            return []
        }
        // A log may begin after INIT.
        let expected = channels[device] ?? chain.channel
        channels[device] = expected
        guard chain.channel != expected else { return [] }
        return [
            .damage(
                Fragment.place(chain.line)
                    + "the channel is \(chain.channel), and the device's channel is \(expected)", "CTAP 2.3 §11.2.4")
        ]
    }

    // MARK: libfido2

    private mutating func take(_ line: LibFIDO2Line, _ number: Int) {
        conclude()
        heading = Heading(use: .part)
        switch line.rows {
        case .message(let side):
            if let command = line.command { commands[side] = command }
            heading = Heading(side: side, layer: (commands[side] ?? commands[.sent]).map(Fragment.Layer.payload))
        case .report: heading = Heading(side: .received, layer: .report, use: .repetition)
        case .card(let side): heading = Heading(side: side, layer: .apdu, use: .repetition)
        case .part: break
        }
        if let named = line.device { device = named }
        if let length = line.payloadLength { payloadLength = (length, number) }
        heading.announced = line.announced.map { ($0, number) }
        // Some functions name their bytes without printing them.
        heading.needsRows = heading.announced != nil && line.rows != .part
    }
}
