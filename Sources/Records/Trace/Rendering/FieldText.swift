internal import Wording

/// Renders fields as text.
struct FieldText {
    /// Longer byte strings are truncated.
    var longestBytes = 40

    /// Longer structures take a line for each part.
    private static let longestLine = 88

    /// A field as indented lines: one line if it fits, otherwise one for each part.
    func lines(_ field: TraceField, indent: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indent)
        let label = label(field)
        let head = margin + (label.isEmpty ? "" : label + ": ")
        let short = inline(field)
        if field.items.isEmpty || (head.count + short.count <= Self.longestLine && !holdsProblems(field)) {
            return [head + short]
        }
        let summary = leaf(field)
        let first =
            margin + (label.isEmpty ? "-" : label) + (summary.isEmpty ? (label.isEmpty ? "" : ":") : ": " + summary)
        return [first] + field.items.flatMap { lines($0, indent: indent + 2) }
    }

    private func label(_ field: TraceField) -> String {
        if let name = field.name { return name }
        guard let key = field.key else { return "" }
        guard let number = Int(key), number >= 0 else { return "\(key) (unknown)" }
        return "0x\(number < 16 ? "0" : "")\(String(number, radix: 16, uppercase: true)) (unknown)"
    }

    private func inline(_ field: TraceField) -> String {
        let parts = field.items.map { item in
            let label = label(item)
            return (label.isEmpty ? "" : label + " ") + inline(item)
        }.joined(separator: ", ")
        if field.secret != nil { return leaf(field) }
        switch field.type {
        case .array: return "[\(parts)]"
        case .map: return "{\(parts)}"
        default: return field.items.isEmpty ? leaf(field) : "\(leaf(field)) {\(parts)}"
        }
    }

    private func holdsProblems(_ field: TraceField) -> Bool {
        field.problem != nil || field.items.contains(where: holdsProblems)
    }

    /// The field without its parts.
    private func leaf(_ field: TraceField) -> String {
        let problem = field.problem.map { " (\($0))" } ?? ""
        return value(field) + problem
    }

    private func value(_ field: TraceField) -> String {
        guard let value = field.value else { return masked(field) }
        switch field.type {
        case .bytes where field.items.isEmpty: return field.meaning ?? bytes(value, field.length)
        case .bytes: return Wording.counted(field.length ?? value.count / 2, "byte")
        case .text: return value.isEmpty ? "\"\"" : value
        default: return field.meaning.map { "\(value) (\($0))" } ?? value
        }
    }

    private func masked(_ field: TraceField) -> String {
        guard let secret = field.secret else { return field.length.map { Wording.counted($0, "byte") } ?? "" }
        let length = field.length ?? 0
        let what =
            switch field.type {
            case .bytes: ""
            case .text: " of text"
            default: " of \(field.type.rawValue)"
            }
        switch secret {
        case .declared: return "<\(Wording.counted(length, "secret byte"))\(what)>"
        case .possible: return "<\(Wording.counted(length, "byte"))\(what), possibly secret>"
        }
    }

    private func bytes(_ digits: String, _ length: Int?) -> String {
        guard !digits.isEmpty else { return "(no bytes)" }
        guard digits.utf8.count > longestBytes * 2 else { return digits }
        return "\(digits.prefix(32))… (\(length ?? digits.utf8.count / 2) bytes)"
    }
}
