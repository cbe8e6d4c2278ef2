extension QRModules {
    /// Black on white, by numbers of the 256 colours that no theme of a terminal changes.
    private static let colours = "\u{1B}[38;5;16;48;5;231m"
    private static let usual = "\u{1B}[0m"

    /// Lines of half blocks, each character with two modules one above the other, and the border.
    ///
    /// - Parameter colored: whether the lines set the colours, which a dark terminal needs; without colours a block is a dark module.
    package func lines(colored: Bool) -> [String] {
        stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let line = String(
                range.map { column -> Character in
                    switch (isDark(column, row), isDark(column, row + 1)) {
                    case (false, false): " "
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (true, true): "█"
                    }
                })
            return colored ? Self.colours + line + Self.usual : line
        }
    }
}
