internal import WebAuthn

/// A row of a dump: an offset, up to 32 bytes, and perhaps their characters.
///
/// libfido2 writes `0000: 86 1d …`, older versions `  86 1d …`; xxd `00000000: 861d …  ..`, hexdump
/// `00000000  86 1d …  |..|`, Wireshark `0000   86 1d …   ..`.
struct DumpRow {
    /// The digits of the offset; nil for a row without one.
    let offset: Substring?
    let bytes: [UInt8]

    /// Nil for any other line.
    init?(_ line: Substring) {
        var rest = line.trimmed
        var offset: Substring?
        var groups = [2]
        let first = rest.prefix { $0.isHexDigit && $0.isASCII }
        let after = rest.dropFirst(first.count)
        if (4...8).contains(first.count), after.hasPrefix(":") || after.hasPrefix("  ") || after.hasPrefix(" ") {
            // Four digits and a blank may also be two bytes of a row without an offset; two digits follow an offset.
            let next = after.drop { $0 == ":" || $0 == " " || $0 == "\t" }
            let pair = next.prefix { !$0.isWhitespace }
            if after.hasPrefix(":") || pair.count == 2 {
                offset = first
                rest = next
                if after.hasPrefix(":") { groups = [2, 4, 8] }
            }
        }
        var bytes: [UInt8] = []
        while let (group, remainder) = Self.group(rest, groups), bytes.count + group.count <= 32 {
            bytes += group
            let gap = remainder.prefix { $0 == " " || $0 == "\t" }
            rest = remainder.dropFirst(gap.count)
            // The characters stand apart, and may look like digits.
            if offset != nil, gap.count >= 3 || bytes.count == 16 { break }
            if gap.isEmpty { break }
        }
        guard !bytes.isEmpty, offset != nil || rest.isEmpty else { return nil }
        // A row of a dump ends with its bytes, or with their characters.
        if offset == nil, bytes.count > 16 { return nil }
        self.offset = offset
        self.bytes = bytes
    }

    private static func group(_ text: Substring, _ lengths: [Int]) -> (bytes: [UInt8], rest: Substring)? {
        let word = text.prefix { !$0.isWhitespace }
        guard lengths.contains(word.count), let bytes = Hex.decode(String(word)) else { return nil }
        return (bytes, text.dropFirst(word.count))
    }
}
