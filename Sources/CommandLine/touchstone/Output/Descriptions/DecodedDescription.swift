import Decoding
import KnownKeys
import Tables
import Trace
import Wording

/// A decoded input, for the terminal.
enum DecodedDescription {
    static func lines(_ decoded: DecodedInput, _ info: InfoDescription?, _ findings: InfoFindings?) -> [String] {
        let count = decoded.parts.map(\.problems.count).reduce(0, +)
        var lines = ["Read as \(decoded.kind.words): \(decoded.form).  (--as \(decoded.kind.rawValue))"]
        if !decoded.alternatives.isEmpty {
            lines.append(
                "It can also be read with " + decoded.alternatives.map { "--as \($0.rawValue)" }.joined(separator: ", ")
                    + ".")
        }
        for (place, part) in decoded.parts.enumerated() {
            // The table of getInfo replaces the members of a lone answer.
            let isTable = info != nil && decoded.parts.count == 1 && decoded.kind == .getInfo
            lines += ["", self.title(part, place, of: decoded)]
            if !isTable { lines += part.fields.flatMap { $0.lines(indent: 2) } }
            if isTable, let info { lines += table(info) }
            lines += part.problems.map { "  wrong: \($0.text)" + ($0.clause.map { " (\($0))" } ?? "") }
        }
        lines += ["", count == 0 ? "No problem was found." : Wording.counted(count, "problem") + "."]
        // The bytes may hold any text.
        lines = lines.map { TerminalText.escaped($0, keepsLines: false, keepsStyles: false) }
        lines = lines.map { $0.hasPrefix("  wrong: ") ? Terminal.styled($0, .yellow) : $0 }
        if decoded.info != nil, decoded.kind != .getInfo, let info { lines += [""] + table(info) }
        if let findings { lines += [""] + comparison(findings) }
        return lines
    }

    private static func title(_ part: DecodedPart, _ place: Int, of decoded: DecodedInput) -> String {
        let number = decoded.parts.count > 1 ? "#\(place + 1)  " : ""
        let line = part.line.map { ", line \($0)" } ?? ""
        return "\(number)\(part.title), " + Wording.counted(part.length, "byte") + line
    }

    private static func table(_ info: InfoDescription) -> [String] {
        var table = TextTable("MEMBER", "VALUE", "MEANING")
        for row in info.rows { table.add(row.name, row.value, row.meaning) }
        return table.lines
    }

    // MARK: Known keys and profiles

    private static func comparison(_ findings: InfoFindings) -> [String] {
        var lines: [String] = []
        if let known = findings.known {
            lines.append("Known key \(known.key): \(known.title)" + (known.model.map { ", \($0)" } ?? "") + ".")
            lines += differences(known)
        } else {
            if let model = findings.model { lines.append("The AAGUID names \(model).") }
            lines.append("No known key has this AAGUID. The nearest known keys:")
            for key in findings.near {
                lines.append("  \(key.key): " + Wording.counted(key.differences.count, "difference"))
            }
        }
        lines += ["", "The nearest profiles:"]
        for profile in findings.profiles {
            lines.append("  \(profile.profile): " + Wording.counted(profile.differences.count, "difference"))
        }
        guard let nearest = findings.profiles.first, !nearest.differences.isEmpty else { return lines }
        var table = TextTable("MEMBER", "INPUT", nearest.profile.uppercased())
        for row in nearest.differences { table.add(row.name, row.value, row.profile) }
        return lines + table.lines.map { "  " + $0 }
    }

    private static func differences(_ known: KnownKeyComparison) -> [String] {
        guard !known.differences.isEmpty else { return ["  It matches the known key."] }
        return known.differences.map { difference in
            let sentence = "  " + difference.sentence
            return difference.explanation.map { sentence + " (\($0))" } ?? Terminal.styled(sentence, .yellow)
        }
    }
}
