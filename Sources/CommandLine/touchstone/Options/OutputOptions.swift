import ArgumentParser
import Tables

/// The form of a command's result.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false

    func write(_ result: some Encodable, lines: () throws -> [String]) throws {
        if json { try Terminal.writeJSON(result) } else { Terminal.write(try lines()) }
    }

    /// - Parameter cells: The cells of a row, in the order of the headings.
    func write<Row: Encodable>(_ rows: [Row], _ headings: String..., cells: (Row) -> [String]) throws {
        try write(rows) {
            var table = TextTable(headings)
            for row in rows { table.add(cells(row)) }
            return table.lines
        }
    }
}
