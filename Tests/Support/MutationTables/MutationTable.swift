internal import Documents
package import Foundation

/// A table of single changes, and the cases of a conformance suite that notice each.
package struct MutationTable: Sendable {
    /// A change.
    package struct Row: Sendable {
        package let mutation: String
        /// The profile of the device that is changed; nil for the table's usual one.
        package var profile: String?
        /// The cases to run, or the beginnings of their identifiers; empty for those in ``red``.
        package var run: [String] = []
        /// The cases that turn red, or the beginnings of their identifiers; empty for none.
        package var red: [String] = []
        /// Why no case can turn red: the behaviour does not change.
        package var equivalent: String?
        /// Why no case turns red although the behaviour changes.
        package var survives: String?

        package init(mutation: String) { self.mutation = mutation }
    }

    package var rows: [Row]

    /// Reads a table.
    ///
    /// - Throws: an error of reading the file, or `SourceError` with the line of a wrong entry.
    package init(_ file: URL) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        rows = try YAMLValue.parse(text, file: file.lastPathComponent).entries().map { mutation, value in
            let members = Dictionary(uniqueKeysWithValues: try value.entries().map { ($0.key, $0.value) })
            var row = Row(mutation: mutation)
            row.profile = try members["profile"]?.string()
            row.run = try members["run"]?.strings() ?? []
            row.red = try members["red"]?.strings() ?? []
            row.equivalent = try members["equivalent"]?.string()
            row.survives = try members["survives"]?.string()
            return row
        }
    }

    package init(rows: [Row]) { self.rows = rows }

    /// Reads several tables as one.
    package init(_ files: [URL]) throws { rows = try files.flatMap { try MutationTable($0).rows } }

    /// The changes of behaviour.
    package var changes: [Row] { rows.filter { $0.equivalent == nil } }
    /// The changes that a case notices.
    package var caught: [Row] { changes.filter { !$0.red.isEmpty } }
    /// The share of the changes that a case notices, 0 to 1.
    package var score: Double { Double(caught.count) / Double(max(1, changes.count)) }

    /// The rows that do not have exactly one outcome: noticed, equivalent, survived.
    package var undecided: [String] {
        rows.filter { row in
            [!row.red.isEmpty, row.equivalent != nil, row.survives != nil].filter(\.self).count != 1
        }.map(\.mutation)
    }

    /// The text of the table.
    package var text: String {
        rows.map { row in
            var lines = ["\"\(row.mutation)\":"]
            if let profile = row.profile { lines.append("  profile: \(profile)") }
            if !row.run.isEmpty { lines.append("  run: [\(row.run.joined(separator: ", "))]") }
            if !row.red.isEmpty { lines.append("  red: [\(row.red.joined(separator: ", "))]") }
            if let reason = row.equivalent { lines.append("  equivalent: \"\(reason)\"") }
            if let reason = row.survives { lines.append("  survives: \"\(reason)\"") }
            return lines.joined(separator: "\n") + "\n"
        }.joined()
    }
}
