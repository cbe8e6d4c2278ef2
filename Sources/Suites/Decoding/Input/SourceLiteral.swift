/// The bytes in a declaration of a program: an array in C, Go, Rust or JavaScript, the literals of Python.
enum SourceLiteral {
    /// The bytes; nil for a text that is not one declaration.
    static func bytes(_ text: String) throws(UndecodableInput) -> ByteText? {
        let trimmed = Substring(text).trimmed
        if let joined = escapes(trimmed) { return try ByteText(escapes: joined) }
        return try array(trimmed)
    }

    // MARK: Literals with escapes

    /// The literals of `data = (b"\x00" b"\xa1")`, joined; nil where the text begins with one, and for other texts.
    private static func escapes(_ text: Substring) -> String? {
        guard text.contains("\\x"), let first = text.firstIndex(where: { "\"'".contains($0) }) else { return nil }
        let head = text[..<first]
        guard head.contains("="), !head.contains(where: { "{[:".contains($0) }) || head.contains("[]") else {
            return nil
        }
        var literals = ""
        var rest = text[first...]
        while let quote = rest.first {
            guard "\"'".contains(quote) else { return nil }
            rest = rest.dropFirst()
            var isEscaped = false
            let literal = rest.prefix { character in
                if isEscaped {
                    isEscaped = false
                    return true
                }
                isEscaped = character == "\\"
                return character != quote
            }
            literals += literal
            rest = rest.dropFirst(literal.count + 1)
            // Between literals stand blanks, line breaks and prefixes; the end has brackets.
            rest = rest.drop { $0.isWhitespace || "b\\);,+".contains($0) }
        }
        return literals
    }

    // MARK: Arrays

    private static func array(_ text: Substring) throws(UndecodableInput) -> ByteText? {
        guard text.contains("=") || text.hasPrefix("unsigned char") else { return nil }
        var place = text.startIndex
        var count = 0
        while let begin = text[place...].firstIndex(where: { "{[".contains($0) }) {
            place = text.index(after: begin)
            // A declaration has few brackets before its bytes.
            count += 1
            guard count < 16 else { return nil }
            let close: Character = text[begin] == "{" ? "}" : "]"
            guard let end = text[place...].firstIndex(of: close) else { return nil }
            let body = withoutComments(text[place..<end]).trimmed
            guard body.first.map({ $0.isNumber || $0 == "-" }) ?? false, body.contains(",") || body.hasPrefix("0x")
            else {
                continue
            }
            // Other statements make it a program.
            let tail = text[text.index(after: end)...].trimmed
            guard text[..<begin].count(where: \.isNewline) < 3, let length = Self.length(after: tail) else {
                return nil
            }
            let words = body.split { $0 == "," || $0.isWhitespace }
            guard let list = ByteText.list("{" + words.joined(separator: ",") + "}") else {
                guard let wrong = words.first(where: { ByteText.list("{" + $0 + "}") == nil }) else { return nil }
                throw UndecodableInput("“\(wrong.prefix(20))” in the array is not a byte; correct it")
            }
            if let announced = length.count, announced != list.bytes.count {
                throw UndecodableInput(
                    "the array has \(list.bytes.count) bytes, and the variable of its length says \(announced); give all of it"
                )
            }
            return list
        }
        return nil
    }

    /// The length that xxd writes after an array; nil where other statements follow.
    private static func length(after tail: Substring) -> (count: Int?, Void)? {
        let rest = tail.drop { ";)},".contains($0) || $0.isWhitespace }
        guard !rest.isEmpty else { return (nil, ()) }
        guard rest.contains("_len"), let equals = rest.lastIndex(of: "=") else { return nil }
        let number = rest[rest.index(after: equals)...].filter { !$0.isWhitespace && $0 != ";" }
        return Int(number).map { ($0, ()) }
    }

    private static func withoutComments(_ text: Substring) -> Substring {
        guard text.contains("/") else { return text }
        var result = ""
        var rest = text
        while let mark = rest.firstIndex(of: "/") {
            result += rest[..<mark]
            let comment = rest[mark...]
            if comment.hasPrefix("//") {
                rest = comment.drop { !$0.isNewline }
            } else if comment.hasPrefix("/*") {
                var inner = comment.dropFirst(2)
                while !inner.isEmpty, !inner.hasPrefix("*/") { inner = inner.dropFirst() }
                rest = inner.dropFirst(2)
            } else {
                result += "/"
                rest = comment.dropFirst()
            }
        }
        return Substring(result + rest)
    }
}
