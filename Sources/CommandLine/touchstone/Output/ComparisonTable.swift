import Conformance
import Tables

extension RunComparison {
    /// The differences: one row for each case, with a column for each run.
    func table(_ first: String, _ second: String) -> TextTable {
        var table = TextTable(["CASE", "CLAUSE", first, second])
        for difference in differences {
            table.add(
                difference.id, difference.clause.description, difference.first.words, difference.second.words)
        }
        return table
    }
}

extension RunComparison.Side {
    /// The verdict with what was seen.
    fileprivate var words: String { verdict.rawValue + (seen.isEmpty ? "" : ": " + seen.joined(separator: "; ")) }
}
