internal import CTAPHID
internal import Foundation
internal import WebAuthn

/// A line of a log, taken apart: the direction that its words name, and its bytes.
struct LogLine {
    private(set) var side: Fragment.Side?
    private(set) var fragment: Fragment?
    /// A status word that ends the response in a line before.
    private(set) var statusWord: [UInt8]?
    private(set) var program: String?

    /// The words of logs for each direction, in lower case.
    private static let directions: [(words: [String], side: Fragment.Side)] = [
        (
            [
                "apdu:", "c-apdu", "send", "sending", "sent", "request", "req", "tx", "out", "write", ">>", ">", "->",
                "-->",
                "=>", "command", "uhid_output_report", "_reporttype.uhid_output_report", "capdu",
            ], .sent
        ),
        (
            [
                "sw:", "uhid_input2", "r-apdu", "recv", "received", "receive", "response", "resp", "rx", "in", "read",
                "<<", "<", "<-", "<--", "<=", "answer", "reply", "rapdu",
            ], .received
        ),
    ]

    init(_ line: Substring) {
        var text = line.trimmed
        if let tool = Self.conformanceTool(text) {
            fragment = tool
            side = tool.side
            return
        }
        // python-fido2's cards: the response, then the status word.
        var ending: [UInt8] = []
        if let place = text.range(of: " SW="), let word = Hex.decode(String(text[place.upperBound...])), word.count == 2
        {
            ending = word
            text = text[..<place.lowerBound].trimmed
        }
        side = Self.direction(text)
        if text.contains("APDU: ") || text.contains("SW: ") { program = "pcscd" }
        if text.lowercased().hasPrefix("apdu status:") {
            statusWord = Self.bytes(text.dropFirst("apdu status:".count))
            return
        }
        if let list = Self.brackets(text) {
            fragment = Fragment(bytes: list.bytes, side: side, layer: list.layer)
        } else if let bytes = Self.tail(text, isSure: side != nil) {
            fragment = Fragment(bytes: bytes + ending, side: side, layer: nil)
        } else if !ending.isEmpty {
            fragment = Fragment(bytes: ending, side: side, layer: nil)
        }
        if !ending.isEmpty || program == "pcscd" { fragment?.layer = .apdu }
    }

    private static func direction(_ text: Substring) -> Fragment.Side? {
        let separators: Set<Character> = [" ", "\t", "(", ")", ",", "[", "]", "="]
        let words = text.lowercased().split { separators.contains($0) }.flatMap { word -> [Substring] in
            // `DEBUG:fido2.hid:SEND:` has its direction at the end.
            word.contains(":") ? [word] + word.split(separator: ":") : [word]
        }
        for word in words {
            for direction in directions where direction.words.contains(where: { $0 == word || $0 + ":" == word }) {
                return direction.side
            }
        }
        return nil
    }

    /// Bytes at the end of a line, after a colon, an arrow or the line's beginning.
    private static func tail(_ text: Substring, isSure: Bool) -> [UInt8]? {
        let marks: Set<Character> = [":", ">", "<"]
        var best: Substring = text
        if let place = text.lastIndex(where: { marks.contains($0) }) {
            best = text[text.index(after: place)...]
            // Colons between the bytes themselves.
            let colons = text.split(separator: " ").last ?? text
            if colons.count > 8, Self.bytes(colons) != nil, colons.contains(":") { best = colons }
        }
        // `(UHID_INPUT2) send ffff…` has no mark.
        if Self.bytes(best) == nil, let last = text.split(whereSeparator: \.isWhitespace).last, last.count >= 16 {
            best = last
        }
        guard let bytes = Self.bytes(best) else { return nil }
        // `len: 1045` is a number.
        let isNumber = best.trimmed.allSatisfy(\.isNumber) && best.trimmed.count < 8
        let isPointer = best.trimmed.hasPrefix("0x") && bytes.count == 8 && !isSure && best != text
        return isNumber || isPointer || (bytes.count < 2 && !isSure) || bytes.isEmpty ? nil : bytes
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        var digits = ""
        for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," || $0 == ":" }) {
            let pure = word.hasPrefix("0x") || word.hasPrefix("0X") ? word.dropFirst(2) : word[...]
            guard !pure.isEmpty, pure.count.isMultiple(of: 2), pure.allSatisfy({ $0.isHexDigit && $0.isASCII }) else {
                return nil
            }
            digits += pure
        }
        return digits.isEmpty ? nil : Hex.decode(digits)
    }

    /// The last list in brackets, as OpenSK and Go print it: `Message { cid: […], cmd: 10, payload: [04] }`.
    private static func brackets(_ text: Substring) -> (bytes: [UInt8], layer: Fragment.Layer?)? {
        guard let end = text.lastIndex(where: { "]}".contains($0) }) else { return nil }
        let closed = text[...end].trimmed
        let last =
            closed.hasSuffix("}") && closed.dropLast().trimmed.hasSuffix("]") ? closed.dropLast().trimmed : closed
        guard let close = last.last, let begin = last.lastIndex(of: close == "]" ? "[" : "{"),
            // `blob[0]` is an element, not a list.
            last[..<begin].last.map({ !$0.isLetter && !$0.isNumber }) ?? true,
            let list = ByteText.list(String(last[begin...]))
        else { return nil }
        var layer: Fragment.Layer?
        if let place = text.range(of: "cmd: "),
            let byte = UInt8(text[place.upperBound...].prefix { $0.isHexDigit }, radix: 16)
        {
            layer = .payload(CTAPHIDCommand(rawValue: byte))
        }
        return (list.bytes, layer)
    }

    /// A report as FIDO's test tools print it: `t+0.016< ffffffff:86[17]:7127…`, whose data ends with the report.
    private static func conformanceTool(_ text: Substring) -> Fragment? {
        let parts = text.split(separator: ":", maxSplits: 2)
        guard parts.count == 3, let channel = Hex.decode(String(parts[0].suffix(8))), channel.count == 4,
            let bracket = parts[1].firstIndex(of: "["), let command = UInt8(parts[1][..<bracket], radix: 16),
            let length = UInt16(parts[1][parts[1].index(after: bracket)...].prefix { $0.isNumber }),
            let data = Hex.decode(String(parts[2].trimmed)), data.count <= CTAPHIDPacket.initializationDataLength
        else { return nil }
        let head = channel + [command | 0x80, UInt8(length >> 8), UInt8(length & 0xFF)]
        let padding = [UInt8](repeating: 0, count: CTAPHIDPacket.initializationDataLength - data.count)
        let side: Fragment.Side? = text.contains("<") ? .received : text.contains(">") ? .sent : nil
        return Fragment(bytes: head + data + padding, side: side, layer: .report)
    }
}
