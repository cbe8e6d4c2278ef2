/// Texts and files without bytes of messages.
enum PlainText {
    /// The input that the decoder takes, as advice.
    static let advice = "give bytes in hexadecimal or base64, JSON, PEM, a dump, or a log of messages"

    /// Whether a text is words of a language, or one word such as `password`.
    static func isWords(_ text: Substring) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace) }
        let words = lines.flatMap { $0 }
        if words.count > 1 {
            // Bytes stand in groups of equal lengths.
            let areWords = words.count { word in word.allSatisfy { $0.isLetter || ",.;:!?'’-".contains($0) } }
            return lines.contains { Set($0.dropLast().map(\.count)).count > 1 || $0.count == 2 }
                && areWords * 2 > words.count
        }
        guard let word = words.first, word.count < 32, word.allSatisfy(\.isLetter) else { return false }
        return word.dropFirst().allSatisfy(\.isLowercase)
    }

    private static let keywords: Set<Substring> = [
        "import", "const", "let", "var", "function", "def", "class", "#include", "package", "use", "fn", "public",
        "private", "export", "static", "struct", "return", "if", "for", "func", "#define", "from", "else", "async",
    ]

    /// Whether a text is the source of a program.
    static func isProgram(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
        let statements = lines.count { line in
            line.split { $0.isWhitespace || "({".contains($0) }.first.map(keywords.contains) ?? false
        }
        return lines.count > 2 && statements * 5 >= lines.count
    }
}

/// The formats of files that have no messages, by their first bytes.
enum FileFormat {
    private static let all: [(prefix: [UInt8], words: String, advice: String)] = [
        ([0x7F, 0x45, 0x4C, 0x46], "a program (ELF)", PlainText.advice),
        ([0xCF, 0xFA, 0xED, 0xFE], "a program (Mach-O)", PlainText.advice),
        (Array("MZ".utf8) + [0x90, 0x00], "a program of Windows", PlainText.advice),
        ([0x00, 0x61, 0x73, 0x6D, 0x01], "a WebAssembly module", PlainText.advice),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], "a picture (PNG)", PlainText.advice),
        ([0xFF, 0xD8, 0xFF], "a picture (JPEG)", PlainText.advice),
        (Array("GIF8".utf8), "a picture (GIF)", PlainText.advice),
        (Array("%PDF-".utf8), "a PDF document", PlainText.advice),
        (Array("PK".utf8) + [3, 4], "an archive (ZIP)", "unpack it, and give one of its files"),
        ([0x1F, 0x8B, 0x08], "a compressed file (gzip)", "unpack it with gunzip"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "a compressed file (xz)", "unpack it with unxz"),
        ([0x28, 0xB5, 0x2F, 0xFD], "a compressed file (Zstandard)", "unpack it with unzstd"),
        (Array("SQLite format 3".utf8), "a database (SQLite)", PlainText.advice),
        (
            [0xD4, 0xC3, 0xB2, 0xA1], "a capture of packets (pcap)",
            "give a packet as text, such as tshark -x prints it"
        ),
        (
            [0x4D, 0x3C, 0xB2, 0xA1], "a capture of packets (pcap)",
            "give a packet as text, such as tshark -x prints it"
        ),
        (
            [0x0A, 0x0D, 0x0D, 0x0A], "a capture of packets (pcapng)",
            "give a packet as text, such as tshark -x prints it"
        ),
        (
            Array("btsnoop".utf8) + [0], "a capture of Bluetooth (btsnoop)",
            "give a packet as text, such as tshark -x prints it"
        ),
    ]

    /// The reason and the advice for a file of another format; nil for any other content.
    static func problem(_ content: [UInt8]) -> String? {
        all.first { content.starts(with: $0.prefix) && content.count > 8 }.map {
            "the input is \($0.words), which has no messages to decode; \($0.advice)"
        }
    }
}
