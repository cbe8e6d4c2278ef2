internal import CTAPHID
internal import Foundation
internal import WebAuthn

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
    }

    private var heading = Heading()
    private var rows: Fragment?
    private var isRepetition = false
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
        fragments += pending
    }

    private mutating func read(_ line: Substring, number: Int, hasAPDUs: Bool) {
        if let row = DumpRow(line) {
            let begins = row.offset.map { $0.allSatisfy { $0 == "0" } } ?? false
            if rows == nil || begins { open(number) }
            rows?.bytes += row.bytes
            return
        }
        close()
        guard !line.trimmed.isEmpty else { return }
        if readLibfido2(line) { return }
        let words = LogLine(line)
        // pcscd prints the frames of the reader around the same APDUs.
        if hasAPDUs, !line.contains("APDU: "), !line.contains("SW: ") { return }
        if let program = words.program { self.program = program }
        if var found = words.fragment {
            found.line = number
            if found.side == nil { found.side = heading.side }
            append(found)
        } else if let status = words.statusWord, !fragments.isEmpty, fragments[fragments.count - 1].side != .sent {
            fragments[fragments.count - 1].bytes += status
            fragments[fragments.count - 1].layer = .apdu
        } else if words.side != nil {
            heading = Heading(side: words.side)
        }
    }

    // MARK: Rows

    private mutating func open(_ number: Int) {
        close()
        rows = Fragment(bytes: [], side: heading.side, layer: heading.layer, line: number)
        isRepetition = heading.isRepetition
    }

    private mutating func close() {
        guard let block = rows else { return }
        rows = nil
        if isRepetition { pending.append(block) } else { append(block) }
    }

    private mutating func append(_ fragment: Fragment) {
        if case .payload? = fragment.layer {
            // The whole message replaces its reports.
            if fragment.side == .sent { fragments += pending }
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
    private mutating func readLibfido2(_ line: Substring) -> Bool {
        let text = line.trimmed
        guard let name = ["fido_tx:", "fido_rx:", "tx:", "rx:", "rx_preamble:"].first(where: { text.hasPrefix($0) })
        else {
            // Its other lines name no bytes; its transports print the APDUs of NFC.
            let names = ["fido_", "nfc_", "rx_", "tx_"]
            guard names.contains(where: { text.hasPrefix($0) }) else { return program == "libfido2" }
            let isWrite = text.contains("_write:") || text.contains("_tx:")
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
        if isReport {
            heading = Heading(side: .received, layer: .report, isRepetition: true)
        } else {
            heading = Heading(
                side: side, layer: (commands[side] ?? commands[.sent]).map(Fragment.Layer.payload), isRepetition: false)
        }
        return true
    }
}
