internal import WebAuthn

/// A text in which each line is a message.
enum MessageLines {
    private static let kinds: Set<DecodedKind> = [.request, .response, .command, .answer, .reports, .getInfo]

    /// The marks that stand between a request and its response in one line.
    private static let marks: Set<Substring> = ["/", ";", "->", "=>", "-->", "→", "⇒"]

    /// The messages of lines in which marks separate requests from responses, such as `00a4… / 9000`; nil for any
    /// other text.
    static func separated(_ text: String) -> [Fragment]? {
        var fragments: [Fragment] = []
        var hasMark = false
        for (place, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            let pieces = words.split { marks.contains($0) }
            hasMark = hasMark || pieces.count > 1
            for piece in pieces {
                guard let first = piece.first, let last = piece.last,
                    piece.allSatisfy({ $0.allSatisfy { HexDamage.isDigit($0) || $0 == ":" } })
                else { return nil }
                guard piece.contains(where: { $0.contains(where: HexDamage.isDigit) }) else { return nil }
                let digits = line[first.startIndex..<last.endIndex]
                let bytes = Hex.decode(String(digits.filter(HexDamage.isDigit)))
                let damage: [DecodingProblem] =
                    bytes == nil
                    ? [
                        .damage(
                            "line \(place + 1) cannot be read: the bytes from column \(HexDamage.column(digits.startIndex, digits)) "
                                + "have an odd number of hexadecimal digits")
                    ] : []
                fragments.append(Fragment(bytes: bytes ?? [], line: place + 1, problems: damage))
            }
        }
        return hasMark ? fragments : nil
    }

    /// The messages; nil for any other text.
    ///
    /// A line among them that cannot be read is named.
    static func fragments(_ text: String) -> [Fragment]? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().filter {
            !$0.element.trimmed.isEmpty
        }
        guard lines.count > 1, lines.allSatisfy({ DumpRow($0.element)?.offset == nil }) else { return nil }
        var fragments: [Fragment] = []
        var (known, reports) = (0, 0)
        for (place, line) in lines {
            let number = place + 1
            let isSure = line.allSatisfy { $0.isWhitespace || HexDamage.isDigit($0) }
            let damage = HexDamage(line, in: line, isSure: isSure)
            guard damage == nil, let bytes = try? ByteText(String(line.trimmed)).bytes else {
                guard let damage else { return nil }
                fragments.append(
                    Fragment(
                        bytes: [], line: number,
                        problems: [.damage("line \(number) cannot be read: \(damage.reason)")]))
                continue
            }
            let isReport = Reading.isReport(bytes)
            let isKnown = isReport || Reading.all(of: bytes).first.map { $0.fits && kinds.contains($0.kind) } ?? false
            known += isKnown ? 1 : 0
            reports += isReport ? 1 : 0
            fragments.append(Fragment(bytes: bytes, layer: isReport ? .report : nil, line: number))
        }
        guard known * 2 >= lines.count, known > 0 else { return nil }
        // Wrapped bytes have whole lines without a message.
        guard known == lines.count || reports > 0 || fragments.contains(where: { !$0.problems.isEmpty }) else {
            return nil
        }
        // Among reports, a line of nearly their length is a report.
        if reports > 0 {
            for place in fragments.indices where (32...80).contains(fragments[place].bytes.count) {
                fragments[place].layer = .report
            }
        }
        return fragments
    }

    /// The first damage of a text whose lines are all hexadecimal digits; nil for any other text.
    static func damage(_ text: String) -> String? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().filter {
            !$0.element.trimmed.isEmpty
        }
        guard lines.count > 1, lines.allSatisfy({ DumpRow($0.element)?.offset == nil }) else { return nil }
        var first: String?
        for (place, line) in lines {
            if let damage = HexDamage(line, in: line) {
                first = first ?? "line \(place + 1) cannot be read: \(damage.reason)"
            } else if !line.allSatisfy({ $0.isWhitespace || ":,".contains($0) || HexDamage.isDigit($0) }) {
                return nil
            }
        }
        return first
    }
}
