package import Causes
package import Documents

/// Every cause with every face it has: the one table that logs, reports, traces and the command line look into.
package struct PlatformErrorTable: Sendable {
    /// The interfaces, in the order in which faces are told.
    package let interfaces: [PlatformInterface]
    /// What profiles may choose.
    package let settings: [PlatformErrorSetting]
    /// The causes.
    package let outcomes: [PlatformErrorRow]
    /// What is told about samples that could not be compared, by the gate's names.
    package let hints: [PlatformErrorRow]
    /// Where the facts come from: a line for each key.
    package let sources: [String: String]

    private let interfacesByID: [String: PlatformInterface]
    private let outcomesByCause: [Cause: PlatformErrorRow]
    private let hintsByCause: [Cause: PlatformErrorRow]

    /// The table that comes with this program.
    ///
    /// Should it ever be unreadable it is empty, so that what only mentions faces goes on without them.
    package static let shared: PlatformErrorTable = (try? load()) ?? PlatformErrorTable()

    /// Reads the table that comes with this program.
    ///
    /// - Throws: ``SourceError`` with the line of the first mistake in it.
    package static func load() throws(SourceError) -> PlatformErrorTable {
        try PlatformErrorTable(
            parsing: String(decoding: PackageResources.outcomes_yaml, as: UTF8.self), file: "outcomes.yaml")
    }

    init(
        interfaces: [PlatformInterface] = [], settings: [PlatformErrorSetting] = [], outcomes: [PlatformErrorRow] = [],
        hints: [PlatformErrorRow] = [], sources: [String: String] = [:]
    ) {
        self.interfaces = interfaces
        self.settings = settings
        self.outcomes = outcomes
        self.hints = hints
        self.sources = sources
        interfacesByID = Dictionary(interfaces.map { ($0.id, $0) }) { first, _ in first }
        outcomesByCause = Self.byCause(outcomes)
        hintsByCause = Self.byCause(hints)
    }

    private static func byCause(_ rows: [PlatformErrorRow]) -> [Cause: PlatformErrorRow] {
        var index: [Cause: PlatformErrorRow] = [:]
        for row in rows { for name in [row.cause] + row.aliases { index[name] = row } }
        return index
    }

    /// The interface of a name in the table.
    package func interface(_ id: String) -> PlatformInterface? { interfacesByID[id] }

    /// The row of a cause, or of another name it has.
    package func outcome(_ cause: Cause) -> PlatformErrorRow? { outcomesByCause[cause] }

    /// The row of a hint of the gate's.
    package func hint(_ name: String) -> PlatformErrorRow? { hintsByCause[Cause(name)] }
}
