import ErrorSearch
import Tables

extension PlatformErrorDescription {
    /// The explanation of the mark behind names.
    static let remark = "(?) not confirmed by a public source"

    var lines: [String] {
        var lines = Paragraph.lines(Terminal.styled(outcome, .bold) + ": " + meaning, width: Terminal.width)
        if !also.isEmpty { lines.append("also known as " + also.joined(separator: ", ")) }
        lines.append("")
        guard !errors.isEmpty else { return lines + ["No interface reports an error of its own."] }
        var table = TextTable("INTERFACE", "CODE", "NAME", "WHERE", "SOURCE")
        for error in errors {
            let sources = error.sources.joined(separator: " ") + (error.unverified ? " (unverified)" : "")
            table.add(error.interface, error.written ?? "", error.name, error.place, sources)
            if let note = error.note { table.add(note: "    " + note) }
        }
        var references = TextTable()
        for (key, source) in sources.sorted(by: { $0.key < $1.key }) { references.add(key, source) }
        return lines + table.lines + [""] + references.lines
    }
}
