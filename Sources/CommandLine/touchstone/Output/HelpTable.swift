import Tables

/// A table in a help text; the parser asks every command for its help at each start, and most starts show none.
enum HelpTable {
    private static let isShown = CommandLine.arguments.dropFirst().contains { argument in
        ["help", "-h"].contains(argument) || argument.contains("help") && argument.hasPrefix("--")
    }

    /// The table's lines; empty where the command line asks for no help.
    static func text(_ table: @autoclosure () -> TextTable) -> String {
        isShown ? table().lines(width: Terminal.helpWidth).joined(separator: "\n") : ""
    }
}
