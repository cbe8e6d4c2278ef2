import Documents
import Foundation
import Testing

/// The table of single changes, and the cases that notice each: `mutations.yaml`.
struct MutationTable {
    /// A change.
    struct Row {
        let mutation: String
        /// The cases to run, or the beginnings of their identifiers.
        let run: [String]
        /// The cases that turn red, or the beginnings of their identifiers; empty for none.
        var red: [String] = []
        /// Why no case can turn red: the behaviour does not change.
        var equivalent: String?
        /// Why no case turns red although the behaviour changes.
        var survives: String?
    }

    var rows: [Row]

    /// Reads the table.
    init() throws {
        let file = try #require(Bundle.module.url(forResource: "mutations", withExtension: "yaml"))
        let text = try String(contentsOf: file, encoding: .utf8)
        rows = try YAMLValue.parse(text, file: file.lastPathComponent).entries().map { mutation, value in
            let members = Dictionary(uniqueKeysWithValues: try value.entries().map { ($0.key, $0.value) })
            return Row(
                mutation: mutation, run: try #require(members["run"]).strings(),
                red: try members["red"]?.strings() ?? [], equivalent: try members["equivalent"]?.string(),
                survives: try members["survives"]?.string())
        }
    }

    /// The changes of behaviour.
    var changes: [Row] { rows.filter { $0.equivalent == nil } }
    /// The changes that a case notices.
    var caught: [Row] { changes.filter { !$0.red.isEmpty } }

    /// The text of the table.
    var text: String {
        rows.map { row in
            var lines = ["\"\(row.mutation)\":", "  run: [\(row.run.joined(separator: ", "))]"]
            if !row.red.isEmpty { lines.append("  red: [\(row.red.joined(separator: ", "))]") }
            if let reason = row.equivalent { lines.append("  equivalent: \"\(reason)\"") }
            if let reason = row.survives { lines.append("  survives: \"\(reason)\"") }
            return lines.joined(separator: "\n") + "\n"
        }.joined()
    }

    /// The page `docs/conformance/relying-party-mutations.md`.
    var page: String {
        let percent = 100 * Double(caught.count) / Double(changes.count)
        let rest = rows.filter(\.red.isEmpty)
        return """
            # Mutations of the relying party

            \(rows.count) single changes of Touchstone's own verifier and relying party, each made by a switch that only debug builds have.
            \(changes.count) of them change the behaviour; the suite for relying parties notices \(caught.count) (\
            \(percent.formatted(.number.precision(.fractionLength(1)))) %). A test makes each change,
            runs the cases of its clause, and compares those that turn red with this table.

            | change | cases that turn red |
            |---|---|
            \(caught.map { "| `\($0.mutation)` | \($0.red.map { "`\($0)`" }.joined(separator: ", ")) |" }.joined(separator: "\n"))

            ## Changes that no case notices

            | change | reason |
            |---|---|
            \(rest.compactMap { row in row.survives.map { "| `\(row.mutation)` | \($0) |" } }.joined(separator: "\n"))

            ## Changes without an effect

            | change | reason |
            |---|---|
            \(rest.compactMap { row in row.equivalent.map { "| `\(row.mutation)` | \($0) |" } }.joined(separator: "\n"))

            """
    }

    /// The shortest names for cases: the beginning of their identifiers where it names no other case of the suite.
    static func shortened(_ cases: [String], in suite: [String]) -> [String] {
        var names: [String] = []
        for single in cases {
            let words = single.split(separator: ".")
            let beginnings = (2...max(2, words.count)).map { words.prefix($0).joined(separator: ".") }
            let name = beginnings.first { beginning in
                suite.filter { isNamed($0, beginning) }.allSatisfy(cases.contains)
            }
            if names.last != name ?? single { names.append(name ?? single) }
        }
        return names
    }

    /// Whether a name is a case's identifier, or its beginning that ends at a dot.
    static func isNamed(_ single: String, _ name: String) -> Bool { single == name || single.hasPrefix(name + ".") }
}
