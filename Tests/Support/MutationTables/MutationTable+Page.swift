internal import Foundation

extension MutationTable {
    /// A page of the documentation that shows the table.
    ///
    /// - Parameters:
    ///   - subject: the part of Touchstone that is changed, such as `verifier and relying party`.
    ///   - suite: the suite that notices, such as `the suite for relying parties`.
    ///   - remark: a further sentence of the introduction.
    package func page(title: String, subject: String, suite: String, remark: String = "") -> String {
        """
        # \(title)

        \(rows.count) single changes of Touchstone's own \(subject), each made by a switch that only debug builds have.
        \(changes.count) of them change the behaviour; \(suite) notices \(caught.count) (\
        \((100 * score).formatted(.number.precision(.fractionLength(1)))) %). A test makes each change,
        runs the cases of its clause, and compares those that turn red with this table.\(remark)

        \(table("cases that turn red", caught) { $0.red.map { "`\($0)`" }.joined(separator: ", ") })

        ## Changes that no case notices

        \(table("reason", rows.filter { $0.survives != nil }) { $0.survives ?? "" })

        ## Changes without an effect

        \(table("reason", rows.filter { $0.equivalent != nil }) { $0.equivalent ?? "" })

        """
    }

    private func table(_ heading: String, _ rows: [Row], _ cell: (Row) -> String) -> String {
        (["| change | \(heading) |", "|---|---|"] + rows.map { "| `\($0.mutation)` | \(cell($0)) |" })
            .joined(separator: "\n")
    }

    /// The shortest names for cases: the beginning of their identifiers where it names no other case of the suite.
    package static func shortened(_ cases: [String], in suite: [String]) -> [String] {
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
    private static func isNamed(_ single: String, _ name: String) -> Bool {
        single == name || single.hasPrefix(name + ".")
    }
}
