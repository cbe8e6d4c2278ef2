/// Columns of text that fit a width.
///
/// A table that is too wide breaks its cells at spaces, and continues each below its start. Where the columns leave no
/// room for the longest words, each row becomes a block: its first cell, then a line for each other cell with the
/// heading of its column.
package struct TextTable {
    private enum Row {
        case cells([Cell])
        case line(String, isHeading: Bool)
    }

    /// The spaces between two columns.
    private static let gap = 2
    /// The indent of a word that is longer than the width.
    private static let minimumIndent = 4

    private let hasHeadings: Bool
    private var rows: [Row] = []

    /// A table with headings, or without any.
    package init(_ headings: String...) { self.init(headings) }

    package init(_ headings: [String]) {
        if !headings.isEmpty { rows = [.cells(headings.map(Cell.init))] }
        hasHeadings = !headings.isEmpty
    }

    package mutating func add(_ cells: String...) { add(cells) }

    package mutating func add(_ cells: [String]) { rows.append(.cells(cells.map(Cell.init))) }

    /// Adds a line across all columns; the spaces it begins with are the indent of all its lines.
    package mutating func add(note: String) { rows.append(.line(note, isHeading: false)) }

    /// Adds a heading across all columns.
    package mutating func add(heading: String) { rows.append(.line(heading, isHeading: true)) }

    /// The lines, without blanks at their ends.
    ///
    /// - Parameters:
    ///   - width: The most columns of a line; nil gives each row one line.
    ///   - heading: Styles a line of headings.
    package func lines(width: Int?, heading: (String) -> String = { $0 }) -> [String] {
        let blockWidth = width.flatMap { isTooNarrow($0) ? $0 : nil }
        let widths = blockWidth == nil ? columnWidths(in: width) : []
        return rows.enumerated().flatMap { index, row -> [String] in
            switch row {
            case .cells(let cells):
                if let blockWidth { return index == 0 ? [] : block(cells, width: blockWidth) }
                let lines = Self.lines(cells, widths, width ?? .max).map(\.text)
                return index == 0 && hasHeadings ? lines.map(heading) : lines
            case .line(let text, let isHeading):
                let indent = text.prefix { $0 == " " }.count
                let lines = Paragraph.lines(text, width: width, hanging: indent)
                return isHeading ? lines.map(heading) : lines
            }
        }
    }

    /// Whether the longest words of the columns do not fit beside each other; a table of two columns always fits.
    private func isTooNarrow(_ width: Int) -> Bool {
        let rows = cellRows
        let count = rows.map(\.count).max() ?? 0
        guard hasHeadings, count > 2 else { return false }
        let needed = (0..<count).reduce(0) { sum, column in
            sum + (rows.map { column < $0.count ? $0[column].longestWord : 0 }.max() ?? 0) + Self.gap
        }
        return needed - Self.gap > width
    }

    private func block(_ cells: [Cell], width: Int) -> [String] {
        let headings = cellRows.first ?? []
        let labelWidth = headings.dropFirst().map(\.width).max() ?? 0
        return cells.enumerated().flatMap { column, cell -> [String] in
            guard cell.width > 0 else { return [] }
            guard column > 0 else { return Paragraph.lines(cell.text, width: width, hanging: Self.minimumIndent) }
            let label = column < headings.count ? headings[column] : Cell("")
            let margin = String(repeating: " ", count: Self.minimumIndent)
            let indent = Self.minimumIndent + labelWidth + Self.gap
            guard indent + cell.longestWord <= width else {
                return [margin + label.text]
                    + Paragraph.lines(cell.text, width: max(1, width - Self.minimumIndent)).map { margin + $0 }
            }
            let padding = String(repeating: " ", count: labelWidth - label.width + Self.gap)
            return Paragraph.lines(margin + label.text + padding + cell.text, width: width, hanging: indent)
        }
    }

    private var cellRows: [[Cell]] { rows.compactMap { if case .cells(let cells) = $0 { cells } else { nil } } }

    /// The widths with which the table takes the fewest lines.
    ///
    /// Column by column, the widths of its cells are tried while the other columns stay; the last column gets the rest.
    private func columnWidths(in width: Int?) -> [Int] {
        let rows = cellRows
        let count = rows.map(\.count).max() ?? 0
        let cellWidths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].width : 0 } }
        var widths = cellWidths.map { $0.max() ?? 0 }
        let total = widths.reduce(0, +) + Self.gap * max(0, count - 1)
        guard let width, total > width, let last = widths.indices.last else { return widths }
        widths = widths.map { min($0, width) }
        /// The widths, and the rest for the last column.
        func fitted(_ widths: [Int]) -> [Int] {
            var widths = widths
            widths[last] = max(1, width - widths.dropLast().reduce(0) { $0 + $1 + Self.gap })
            return widths
        }
        var best = fitted(widths)
        var leastCost = Self.cost(rows, best, width)
        var isImproved = true
        while isImproved {
            isImproved = false
            for column in widths.indices.dropLast() {
                for candidate in Set(cellWidths[column] + stride(from: 4, to: 40, by: 4)).sorted(by: >)
                where candidate > 0 && candidate <= min(width, cellWidths[column].max() ?? 0) {
                    widths[column] = candidate
                    let tried = fitted(widths)
                    let cost = Self.cost(rows, tried, width)
                    if cost < leastCost {
                        (best, leastCost) = (tried, cost)
                        isImproved = true
                    }
                }
                widths[column] = best[column]
            }
        }
        return best
    }

    /// The lines a table takes, with a surcharge for each cell before the last that breaks, a higher one for a heading,
    /// and one for each column beyond the width.
    private static func cost(_ rows: [[Cell]], _ widths: [Int], _ width: Int) -> Int {
        let isNarrow = widths.reduce(0) { $0 + $1 + gap } - gap <= width
        return rows.enumerated().reduce(0) { sum, element in
            let (index, row) = element
            let isOneLine = isNarrow && zip(row, widths).allSatisfy { $0.width <= $1 }
            guard !isOneLine else { return sum + 1 }
            let broken = zip(row, widths).dropLast(row.count == widths.count ? 1 : 0).count { $0.width > $1 }
            let lines = lines(row, widths, width)
            let excess = lines.reduce(0) { $0 + max(0, $1.width - width) * 10 }
            return sum + lines.count + excess + broken * (index == 0 ? max(6, rows.count) : 1)
        }
    }

    /// The lines of a row: each cell begins in its column, on the first line where that column is free.
    ///
    /// A word that would end beyond the width begins further left, on a line of its own.
    private static func lines(_ row: [Cell], _ widths: [Int], _ width: Int) -> [(text: String, width: Int)] {
        var lines: [(text: String, width: Int)] = [("", 0)]
        var top = 0
        var start = 0
        for (cell, columnWidth) in zip(row, widths) {
            defer { start += columnWidth + gap }
            let pieces = cell.lines(width: columnWidth).map { piece in
                (text: piece.text, width: piece.width, start: min(start, max(minimumIndent, width - piece.width)))
            }
            while zip(lines.dropFirst(top), pieces).contains(where: { $0.width > max(0, $1.start - gap) }) { top += 1 }
            for (index, piece) in pieces.enumerated() {
                while lines.count <= top + index { lines.append(("", 0)) }
                let line = lines[top + index]
                lines[top + index] = (
                    line.text + String(repeating: " ", count: piece.start - line.width) + piece.text,
                    piece.start + piece.width
                )
            }
        }
        return lines
    }
}

/// A cell with its words measured once.
private struct Cell {
    let text: String
    private let words: [(gap: Int, text: String, width: Int)]
    let width: Int

    var longestWord: Int { words.map(\.width).max() ?? 0 }

    init(_ text: String) {
        // A line feed in a cell would look like a row.
        let text = TerminalText.escaped(text)
        let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex
        self.text = String(text[..<end])
        words = Paragraph.words(self.text)
        width = self.text.displayWidth
    }

    /// The cell broken at its spaces, each line with the indent of the first; none when it is empty.
    func lines(width: Int) -> [(text: String, width: Int)] {
        guard self.width > width else { return text.isEmpty ? [] : [(text, self.width)] }
        let indent = words.first?.gap ?? 0
        var lines: [(text: String, width: Int)] = []
        for word in words {
            if let last = lines.last, last.width + word.gap + word.width <= width {
                lines[lines.count - 1] = (
                    last.text + String(repeating: " ", count: word.gap) + word.text, last.width + word.gap + word.width
                )
            } else {
                lines.append((String(repeating: " ", count: indent) + word.text, indent + word.width))
            }
        }
        return lines
    }
}
