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
    package static func load() throws(SourceError) -> PlatformErrorTable {
        try PlatformErrorTable(parsing: EmbeddedText.outcomes_yaml, file: "outcomes.yaml")
    }

    /// The built-in table, with the codes and sentences of `lookup.yaml`, which no device reports.
    package static let lookup: PlatformErrorTable = (try? loadLookup()) ?? .shared

    /// Reads the built-in table for looking up.
    package static func loadLookup() throws(SourceError) -> PlatformErrorTable {
        let base = try YAMLValue.parse(EmbeddedText.outcomes_yaml, file: "outcomes.yaml")
        let more = try YAMLValue.parse(EmbeddedText.lookup_yaml, file: "lookup.yaml")
        return try PlatformErrorTable(reading: more.merged(over: base))
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
