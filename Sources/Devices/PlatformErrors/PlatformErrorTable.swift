package import Causes
package import Documents

/// Every cause with its platform errors: the one table for logs, reports, traces and the command line.
package struct PlatformErrorTable: Sendable {
    /// The interfaces, in the order of reports.
    package let interfaces: [PlatformInterface]
    package let settings: [PlatformErrorSetting]
    package let outcomes: [PlatformErrorRow]
    /// The hints about samples the sensor could not compare, by the gate's names.
    package let hints: [PlatformErrorRow]
    /// The sources, one line for each key.
    package let sources: [String: String]

    private let interfacesByID: [String: PlatformInterface]
    private let outcomesByCause: [Cause: PlatformErrorRow]
    private let hintsByCause: [Cause: PlatformErrorRow]

    /// The built-in table; an unreadable one is empty, so that reports continue without platform errors.
    package static let shared: PlatformErrorTable = (try? load()) ?? PlatformErrorTable()

    /// Reads the built-in table.
    package static func load() throws(SourceError) -> PlatformErrorTable { try PlatformErrorTable(reading: document()) }

    /// The built-in table as a document.
    package static func document() throws(SourceError) -> YAMLValue {
        try YAMLValue(json: compiledPlatformErrors, file: BuiltInPath.root + "platform-errors/outcomes.yaml")
    }

    init(
        interfaces: [PlatformInterface] = [], settings: [PlatformErrorSetting] = [], outcomes: [PlatformErrorRow] = [],
        hints: [PlatformErrorRow] = [], sources: [String: String] = [:]
    ) {
        (self.interfaces, self.settings, self.outcomes, self.hints) = (interfaces, settings, outcomes, hints)
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

    /// The interface with a name, such as `la-error`.
    package func interface(_ id: String) -> PlatformInterface? { interfacesByID[id] }

    /// The row of a cause, found by any of its names.
    package func outcome(_ cause: Cause) -> PlatformErrorRow? { outcomesByCause[cause] }

    package func hint(_ name: String) -> PlatformErrorRow? { hintsByCause[Cause(name)] }
}
