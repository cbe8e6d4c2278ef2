extension QRModules {
    /// An SVG picture with the border, in which a module has the side 1.
    package var svg: String {
        let total = range.count
        let path = range.flatMap { row in
            runs(in: row).map { run in
                "M\(run.lowerBound + Self.quietZone) \(row + Self.quietZone)h\(run.count)v1h-\(run.count)z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(total) \(total)" shape-rendering="crispEdges">
            <path fill="#fff" d="M0 0h\(total)v\(total)h-\(total)z"/>
            <path d="\(path.joined())"/>
            </svg>

            """
    }

    /// The columns of adjacent dark modules in a row.
    private func runs(in row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for column in 0..<side where isDark(column, row) {
            if let last = runs.last, last.upperBound == column {
                runs[runs.count - 1] = last.lowerBound..<column + 1
            } else {
                runs.append(column..<column + 1)
            }
        }
        return runs
    }
}
