internal import CBOR
internal import CTAPHID
internal import Foundation
internal import WebAuthn

/// A line of a log, taken apart: the direction that its words name, and its bytes.
struct LogLine {
    private(set) var side: Fragment.Side?
    private(set) var fragment: Fragment?
    /// A status word that ends the response in a line before.
    private(set) var statusWord: [UInt8]?
    /// The status word of the response in the rows after the line.
    private(set) var statusWordBefore: [UInt8] = []
    private(set) var program: String?
    /// The reason that the line's bytes cannot be read; nil for a line without bytes.
    private(set) var damage: HexDamage?
    /// The number of bytes that the line says it has.
    private(set) var announced: Int?

    /// The words of logs for each direction, in lower case.
    private static let directions: [(words: [String], side: Fragment.Side)] = [
        (
            [
                "apdu:", "c-apdu", "send", "sending", "sent", "request", "req", "tx", "out", "write", ">>", ">", "->",
                "-->",
                "=>", "command", "outgoing", "uhid_output_report", "_reporttype.uhid_output_report", "capdu",
            ], .sent
        ),
        (
            [
                "sw:", "uhid_input2", "r-apdu", "recv", "received", "receive", "response", "resp", "rx", "in", "read",
                "<<", "<", "<-", "<--", "<=", "answer", "reply", "rapdu", "incoming",
            ], .received
        ),
    ]

    /// - Parameter isAnnounced: whether an earlier line says how many bytes follow.
    init(_ line: Substring, isAnnounced: Bool) {
        var text = line.trimmed
        if let tool = TestToolLine(text) {
            (fragment, side, damage) = (tool.fragment, tool.side, tool.damage)
            return
        }
        if let packet = MonitorLine(text) {
            (fragment, side, damage) = (packet.fragment, packet.side, packet.damage)
            return
        }
        // The other loggers of python-fido2 write words and challenges, no messages.
        if text.contains(/:fido2\.(?!hid:|pcsc:)[a-z0-9_.]+:/) { return }
        // python-fido2's cards: the response, then the status word.
        var ending: [UInt8] = []
        if let place = text.range(of: " SW="), let word = Hex.decode(String(text[place.upperBound...])), word.count == 2
        {
            ending = word
            text = text[..<place.lowerBound].trimmed
        }
        side = Self.direction(text)
        if let status = Self.namedStatusWord(text) {
            // opensc-tool: `Received (SW1=0x90, SW2=0x00):` before the response's rows, and without the colon alone.
            if text.hasSuffix(":") {
                statusWordBefore = status
            } else {
                fragment = Fragment(bytes: status, side: side, layer: .apdu)
            }
            return
        }
        let pcscd = ["APDU:", "SW:"].first { text.contains($0) }
        if pcscd != nil { program = "pcscd" }
        if text.lowercased().hasPrefix("apdu status:") {
            let word = text.dropFirst("apdu status:".count)
            statusWord = Self.bytes(word)
            if statusWord == nil { damage = HexDamage(word, in: line, isSure: true) }
            return
        }
        if side != nil, let bytes = Self.notation(text) {
            fragment = Fragment(bytes: bytes, side: side, layer: nil)
        } else if side != nil, let wrong = Self.listDamage(text, in: line) {
            damage = wrong
        } else if let list = Self.brackets(text) {
            fragment = Fragment(bytes: list.bytes, side: side, layer: list.layer)
        } else if let (bytes, place) = Self.tail(text, isSure: side != nil, isAPDU: pcscd != nil) {
            fragment = Fragment(bytes: bytes + ending, side: side, layer: nil)
            announced = AnnouncedLength.find(text[..<place])
        } else if let pcscd, let place = text.range(of: pcscd) {
            damage = HexDamage(text[place.upperBound...], in: line, isSure: true)
        } else if isAnnounced, !text.contains(where: \.isWhitespace) {
            damage = HexDamage(text, in: line, isSure: true)
        } else if let found = Self.damage(text, in: line), side != nil || !text.contains(where: \.isWhitespace) {
            damage = found
        } else if !ending.isEmpty {
            fragment = Fragment(bytes: ending, side: side, layer: nil)
        }
        if !ending.isEmpty || program == "pcscd" { fragment?.layer = .apdu }
        // python-fido2 names the transport.
        if side != nil, let transport = ["fido2.hid", "fido2.pcsc"].first(where: text.contains) {
            program = "python-fido2"
            fragment?.layer = transport == "fido2.hid" ? .report : .apdu
        }
    }

    /// The status word of `SW1=0x90, SW2=0x00`; nil for other lines.
    private static func namedStatusWord(_ text: Substring) -> [UInt8]? {
        let bytes = ["SW1=0x", "SW2=0x"].compactMap { name in
            text.range(of: name).flatMap { UInt8(text[$0.upperBound...].prefix { $0.isHexDigit }, radix: 16) }
        }
        return bytes.count == 2 ? bytes : nil
    }

    private static func direction(_ text: Substring) -> Fragment.Side? {
        let separators: Set<Character> = [" ", "\t", "(", ")", ",", "[", "]", "="]
        let words = text.lowercased().split { separators.contains($0) }.flatMap { word -> [Substring] in
            // `DEBUG:fido2.hid:SEND:` has its direction at the end.
            word.contains(":") ? [word] + word.split(separator: ":") : [word]
        }
        // The mark of a quoted line counts where no other word names the direction.
        let isQuoted = words.first == ">"
        for word in isQuoted ? words.dropFirst() + [">"] : words[...] {
            for direction in directions where direction.words.contains(where: { $0 == word || $0 + ":" == word }) {
                return direction.side
            }
        }
        return nil
    }

    /// A message in diagnostic notation, after its command or status: `-> 0x01 {1: h'5a', …}`.
    private static func notation(_ text: Substring) -> [UInt8]? {
        guard let brace = text.firstIndex(of: "{"), case .map(let map)? = DiagnosticText.item(text[brace...]),
            !map.isEmpty, map.keys.allSatisfy({ if case .unsigned = $0 { true } else { false } })
        else { return nil }
        let code = text[..<brace].split { $0.isWhitespace || ",:".contains($0) }.last ?? ""
        let number = code.hasPrefix("0x") ? UInt8(code.dropFirst(2), radix: 16) : UInt8(code)
        return [number].compactMap(\.self) + CBOR.encode(.map(map), ordering: .asGiven)
    }

    /// Bytes at the end of a line, after a colon, an arrow or the line's beginning.
    private static func tail(_ text: Substring, isSure: Bool, isAPDU: Bool) -> (bytes: [UInt8], place: Substring.Index)?
    {
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
        let isNumber =
            !isAPDU && best.trimmed.allSatisfy(\.isNumber) && best.trimmed.count < 8 && !best.trimmed.hasPrefix("0")
        let isPointer = best.trimmed.hasPrefix("0x") && bytes.count == 8 && !isSure && best != text
        guard !isNumber, !isPointer, bytes.count >= 2 || isSure, !bytes.isEmpty else { return nil }
        return (bytes, best.startIndex)
    }

    private static let marks: Set<Character> = [":", ">", "<"]

    /// The damage of bytes at the end of a line: after a mark, in the last long word, or in the whole line.
    private static func damage(_ text: Substring, in line: Substring) -> HexDamage? {
        if let place = text.lastIndex(where: { marks.contains($0) }),
            let damage = HexDamage(text[text.index(after: place)...], in: line)
        {
            return damage
        }
        guard let last = text.split(whereSeparator: \.isWhitespace).last, last.count >= 16 else { return nil }
        return HexDamage(last, in: line)
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

    /// The damage of the last list in brackets: an item that is not a byte, or an end that is missing.
    private static func listDamage(_ text: Substring, in line: Substring) -> HexDamage? {
        guard let open = text.lastIndex(of: "[") else { return nil }
        let start = text.index(after: open)
        let end = text[start...].firstIndex(of: "]")
        let items = text[start..<(end ?? text.endIndex)].split { $0 == "," || $0.isWhitespace }
        let areBytes = items.count { $0.count == 2 && $0.allSatisfy(HexDamage.isDigit) }
        guard items.count > 1, areBytes * 3 >= items.count * 2 else { return nil }
        guard end != nil else {
            return HexDamage("the list that begins in column \(HexDamage.column(open, line)) has no end")
        }
        guard ByteText.list("[" + items.joined(separator: ",") + "]") == nil,
            let wrong = items.first(where: { $0.count != 2 || !$0.allSatisfy(HexDamage.isDigit) })
        else { return nil }
        return HexDamage(
            "“\(wrong)” in column \(HexDamage.column(wrong.startIndex, line)) is not two hexadecimal digits")
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
}
