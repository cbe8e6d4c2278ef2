internal import WebAuthn

/// A row of a dump: an offset, its bytes, and perhaps their characters.
///
/// libfido2 writes `0000: 86 1d …`, older versions `  86 1d …`; xxd `00000000: 861d …  ..`, hexdump
/// `00000000  86 1d …  |..|`, Wireshark `0000   86 1d …   ..`, tcpdump `0x0000:  861d …  ..`. hexdump without an option writes numbers
/// of 16 bits in the machine's order: `0000000 1d86 …`.
struct DumpRow: Hashable, Sendable {
    /// The digits of the offset; nil for a row without one.
    let offset: Substring?
    let bytes: [UInt8]
    /// Whether the bytes of each pair stand in the other order, in hexdump's numbers of 16 bits.
    let isSwapped: Bool

    /// A line as a dump has it.
    enum Line: Hashable, Sendable {
        case row(DumpRow)
        /// A row that cannot be read, with its offset and its bytes before the damage.
        case damaged(HexDamage, DumpRow)
        case other
    }

    /// Reads a line.
    ///
    /// - Parameter isExpected: whether the line follows a row, or a line that announces rows.
    static func read(_ line: Substring, isExpected: Bool = false) -> Line {
        var reader = Reader(line)
        return reader.read(isExpected)
    }

    /// Nil for any other line, and for a row that cannot be read.
    init?(_ line: Substring) {
        guard case .row(let row) = Self.read(line) else { return nil }
        self = row
    }

    private init(offset: Substring?, bytes: [UInt8], isSwapped: Bool) {
        (self.offset, self.bytes, self.isSwapped) = (offset, bytes, isSwapped)
    }

    private struct Reader {
        private let line: Substring
        private var rest: Substring
        private var offset: Substring?
        private var hasColon = false
        private var groups = [2]
        private static let longestRow = 64

        init(_ line: Substring) {
            self.line = line
            rest = line.trimmed
        }

        mutating func read(_ isExpected: Bool) -> Line {
            if let damage = readOffset(isExpected) { return .damaged(damage, row(of: [])) }
            var bytes: [UInt8] = []
            var gap = 2
            while !rest.isEmpty, bytes.count < DumpRow.Reader.longestRow {
                let word = rest.prefix { !$0.isWhitespace }
                guard groups.contains(word.count), let group = Hex.decode(String(word)) else {
                    return end(bytes, word, gap, isExpected)
                }
                bytes += group
                rest = rest.dropFirst(word.count)
                gap = rest.prefix { $0 == " " || $0 == "\t" }.count
                rest = rest.dropFirst(gap)
                // OpenSC writes the characters directly behind the bytes.
                if offset == nil, gap > 0, Self.areCharacters(rest, of: bytes) {
                    rest = ""
                    break
                }
                // The characters stand apart, and may look like digits.
                if offset != nil, gap >= 3 || (bytes.count >= 16 && gap >= 2) { break }
            }
            return row(bytes)
        }

        /// Whether a text is the characters of bytes, with a full stop for each other byte.
        private static func areCharacters(_ text: Substring, of bytes: [UInt8]) -> Bool {
            guard text.utf8.count <= bytes.count else { return false }
            // Blanks at the end are gone.
            return zip(text.utf8, bytes).allSatisfy { $0 == UInt8(ascii: ".") || $0 == $1 }
                && bytes.dropFirst(text.utf8.count).allSatisfy { $0 == 0x20 }
        }

        /// Reads the offset; a damaged one is the result.
        private mutating func readOffset(_ isExpected: Bool) -> HexDamage? {
            let text = rest.hasPrefix("0x") ? rest.dropFirst(2) : rest
            let digits = text.prefix(while: HexDamage.isDigit)
            let after = text.dropFirst(digits.count)
            let next = after.drop { $0 == ":" || $0 == " " || $0 == "\t" }
            let word = next.prefix { !$0.isWhitespace }
            if (4...8).contains(digits.count), after.first.map({ ": \t".contains($0) }) ?? false {
                hasColon = after.hasPrefix(":")
                // Four digits and a blank may also be two bytes of a row without an offset; two digits follow an offset.
                let isSwapped = !hasColon && digits.count == 7 && word.count == 4
                if hasColon || word.count == 2 || isSwapped {
                    offset = digits
                    rest = next
                    if hasColon { groups = [2, 4, 8] }
                    if isSwapped { groups = [4] }
                }
                return nil
            }
            // An offset with a wrong character, before bytes.
            let first = text.prefix { !$0.isWhitespace }
            guard isExpected, first.hasSuffix(":"), (5...9).contains(first.count),
                Hex.decode(String(text.dropFirst(first.count).trimmed.prefix { !$0.isWhitespace }))?.count == 1,
                let wrong = first.dropLast().indices.first(where: { !HexDamage.isDigit(first[$0]) }),
                // `Sending:` is a word.
                first.dropLast().count(where: HexDamage.isDigit) * 2 >= first.count - 1
            else { return nil }
            return HexDamage(
                "“\(first[wrong])” in column \(HexDamage.column(wrong, line)) is not a digit of an offset")
        }

        /// The line at a word that is not a group of bytes.
        private func end(_ bytes: [UInt8], _ word: Substring, _ gap: Int, _ isExpected: Bool) -> Line {
            if offset != nil, !bytes.isEmpty, gap >= 2 || bytes.count == 16 { return row(bytes) }
            let damage = HexDamage(
                "“\(word.prefix(20))” in column \(HexDamage.column(word.startIndex, line)) is not "
                    + (groups == [4] ? "four" : "two") + " hexadecimal digits")
            if offset != nil {
                // `abcd: 12 bytes` is not a row.
                let hasRow = bytes.count >= 2 || (isExpected && word.count <= 3)
                return hasRow && (hasColon || isExpected) ? .damaged(damage, row(of: bytes)) : .other
            }
            let all = line.split(whereSeparator: \.isWhitespace)
            // The characters of the bytes may follow them.
            let words = all.prefix { $0.count <= 3 }
            guard words.count == all.count || words.count > 2 else { return .other }
            let pairs = words.count { $0.count == 2 && $0.allSatisfy(HexDamage.isDigit) }
            let isRow = pairs * 2 >= words.count && words.count <= 16
            return isExpected && isRow ? .damaged(damage, row(of: bytes)) : .other
        }

        private func row(_ bytes: [UInt8]) -> Line {
            guard !bytes.isEmpty else { return .other }
            // A row of a dump ends with its bytes, or with their characters.
            guard offset != nil || (rest.isEmpty && bytes.count <= 16) else { return .other }
            // xxd writes a character for each byte.
            if hasColon, offset?.count == 8, rest.count > bytes.count {
                return .damaged(
                    HexDamage("it has \(bytes.count) bytes and \(rest.count) characters"), row(of: bytes))
            }
            return .row(row(of: bytes))
        }

        private func row(of bytes: [UInt8]) -> DumpRow {
            let isSwapped = groups == [4]
            var bytes = bytes
            if isSwapped {
                for place in stride(from: 0, to: bytes.count - 1, by: 2) { bytes.swapAt(place, place + 1) }
            }
            return DumpRow(offset: offset, bytes: bytes, isSwapped: isSwapped)
        }
    }
}
