/// The number of bytes that a line of a log says it has, or that the lines after it have.
enum AnnouncedLength {
    /// Reads `len=17`, `len 81`, `length: 64`, `14 bytes`; nil for a line without a number of bytes.
    static func find(_ text: Substring) -> Int? {
        let separators: Set<Character> = [" ", "\t", ",", "=", ":", "(", ")", "[", "]"]
        let words = text.lowercased().split { separators.contains($0) }
        for (word, next) in zip(words, words.dropFirst()) {
            if ["len", "length", "size"].contains(word), let number = number(next) { return number }
            if ["byte", "bytes", "octets"].contains(next), let number = number(word) { return number }
        }
        return nil
    }

    /// The number after a word and `=`, such as that of `count=6`.
    static func value(of name: String, in text: Substring) -> Int? {
        text.split { $0.isWhitespace || $0 == "," }.first { $0.hasPrefix(name + "=") }.flatMap {
            number($0.dropFirst(name.count + 1))
        }
    }

    private static func number(_ word: Substring) -> Int? {
        word.count <= 6 && word.allSatisfy { $0.isASCII && $0.isNumber } ? Int(word) : nil
    }
}
