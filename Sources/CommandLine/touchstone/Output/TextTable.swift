/// Columns of text, each as wide as its widest cell.
struct TextTable {
    private var rows: [[String]] = []
    private let header: [String]

    init(_ header: String...) {
        self.init(header)
    }

    /// A table with as many columns as there are headings.
    init(_ header: [String]) {
        self.header = header
    }

    mutating func add(_ cells: String...) {
        add(cells)
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// The lines, without trailing blanks.
    var lines: [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.enumerated().map { index, row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return index == 0 ? Terminal.styled(line, .bold) : line
        }
    }
}
