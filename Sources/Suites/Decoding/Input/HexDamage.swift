/// The reason that a text which stands for hexadecimal bytes cannot be read.
struct HexDamage: Hashable, Sendable {
    /// A clause such as `“O” in column 24 is not a hexadecimal digit`.
    let reason: String

    init(_ reason: String) { self.reason = reason }

    /// Finds the damage in a part of a line.
    ///
    /// - Parameter isSure: whether the part stands for bytes in any case; otherwise most of it must be hexadecimal.
    /// - Returns: nil for a text that can be read, and for one that does not stand for bytes.
    init?(_ text: Substring, in line: Substring, isSure: Bool = false) {
        let words = text.split { $0.isWhitespace || ",:-;".contains($0) }.map { word in
            word.hasPrefix("0x") || word.hasPrefix("0X") ? word.dropFirst(2) : word
        }
        let letters = words.flatMap { word in word.indices.map { (character: word[$0], place: $0) } }
        guard !letters.isEmpty else { return nil }
        let wrong = letters.filter { !Self.isDigit($0.character) }
        // Words of a log, such as APDU, have digits of this kind, too.
        let hasWord = words.contains { word in word.count < 16 && word.count { !Self.isDigit($0) } > 1 }
        guard isSure || !hasWord else { return nil }
        let arePairs = words.count > 1 && words.allSatisfy { $0.count <= 2 } && words.contains { $0.count == 2 }
        guard isSure || Self.standsForBytes(letters.map(\.character), wrong: wrong.count, arePairs) else { return nil }
        if let first = wrong.first {
            reason = "“\(first.character)” in column \(Self.column(first.place, line)) is not a hexadecimal digit"
        } else if let odd = words.first(where: { !$0.count.isMultiple(of: 2) }) {
            let place = Self.column(odd.startIndex, line)
            reason =
                odd.count == 1
                ? "“\(odd)” in column \(place) is not two hexadecimal digits"
                : "the bytes from column \(place) have \(odd.count) hexadecimal digits, an odd number"
        } else {
            return nil
        }
    }

    private static func standsForBytes(_ letters: [Character], wrong: Int, _ arePairs: Bool) -> Bool {
        let digits = letters.count(where: \.isNumber)
        // Names and numbers are as short, or have other characters.
        guard digits > 0, !letters.contains(where: { "=()/.\"'[]{}<>_".contains($0) }) else { return false }
        if arePairs { return wrong <= max(1, letters.count / 4) && letters.count >= 3 }
        return letters.count >= 8 && wrong * 8 <= letters.count
            && !(wrong == 0 && digits == letters.count && digits < 16)
    }

    static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isHexDigit }

    /// The column of a place, from 1, in the whole line of the input, of which `line` may be the end.
    static func column(_ place: Substring.Index, _ line: Substring) -> Int {
        let start = line.base[..<place].lastIndex(where: \.isNewline).map { line.base.index(after: $0) }
        return line.base.distance(from: start ?? line.base.startIndex, to: place) + 1
    }
}
