import Conformance
import Tables

extension RunComparison {
    /// The differences: one row for each case, with a column for each run.
    func table(_ columns: String...) -> TextTable {
        var table = TextTable(["CASE", "CLAUSE"] + columns)
        for row in differences { table.add([row.id, row.description.clause.description] + row.sides.map(\.words)) }
        return table
    }
}

extension RunComparison.Side {
    fileprivate var words: String { verdict.rawValue + (seen.isEmpty ? "" : ": " + seen.joined(separator: "; ")) }
}
