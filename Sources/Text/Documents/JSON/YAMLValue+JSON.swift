extension YAMLValue {
    /// Reads a whole document in JSON; throws for text that is not JSON (RFC 8259), and for an object with two members of
    /// one name.
    package init(json text: String, file: String) throws(SourceError) {
        let bytes = Array(text.utf8)
        var walk = JSONWalk(bytes, file: file)
        walk.refusesRepeatedNames = true
        do throws(JSONWalk.Mistake) {
            self = try walk.run()
        } catch {
            let place = JSONWalk.place(of: error.position, in: bytes)
            throw SourceError(
                file: file, line: place.line, column: place.column,
                message: (error.member.isEmpty ? "" : "\(error.member): ") + "not JSON: \(error.message)")
        }
    }

    /// The value as JSON in one line, with the members in their order.
    ///
    /// A plain scalar that JSON has no word for becomes a text, and a hexadecimal number a decimal one.
    package var json: String {
        var text = ""
        writeJSON(to: &text)
        return text
    }

    private func writeJSON(to text: inout String) {
        switch content {
        case .scalar(let scalar, isQuoted: true): Self.quote(scalar, to: &text)
        case .scalar(let scalar, isQuoted: false):
            if isEmpty {
                text += "null"
            } else if Bool(scalar) != nil || scalar.wholeMatch(of: Self.decimal) != nil {
                text += scalar
            } else if scalar.hasPrefix("0x"), let number = Self.number(scalar) {
                text += String(number)
            } else {
                Self.quote(scalar, to: &text)
            }
        case .list(let items):
            text += "["
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                item.writeJSON(to: &text)
            }
            text += "]"
        case .map(let entries):
            text += "{"
            for (index, entry) in entries.enumerated() {
                if index > 0 { text += "," }
                Self.quote(entry.key, to: &text)
                text += ":"
                entry.value.writeJSON(to: &text)
            }
            text += "}"
        }
    }

    /// The form of a number in JSON (RFC 8259 §6).
    private static var decimal: Regex<Substring> { /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+\-]?[0-9]+)?/ }

    private static func quote(_ scalar: String, to text: inout String) {
        text += "\""
        for character in scalar.unicodeScalars {
            switch character {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(character.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(character)
            }
        }
        text += "\""
    }
}
