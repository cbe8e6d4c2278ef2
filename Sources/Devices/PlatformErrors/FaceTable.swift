package import Documents

/// Every cause with every face it has: the one table that logs, reports, traces and the command line look into.
package struct FaceTable: Sendable {
    /// The interfaces, in the order in which faces are told.
    package let layers: [FaceLayer]
    /// What profiles may choose.
    package let settings: [FaceSetting]
    /// The causes.
    package let outcomes: [FaceOutcome]
    /// What is told about samples that could not be compared, by the gate's names.
    package let hints: [FaceOutcome]
    /// Where the facts come from: a line for each key.
    package let sources: [String: String]

    private let layersByID: [String: FaceLayer]
    private let outcomesByName: [String: FaceOutcome]
    private let hintsByName: [String: FaceOutcome]

    /// The table that comes with this program.
    ///
    /// Should it ever be unreadable it is empty, so that what only mentions faces goes on without them.
    package static let shared: FaceTable = (try? load()) ?? FaceTable()

    /// Reads the table that comes with this program.
    ///
    /// - Throws: ``SourceError`` with the line of the first mistake in it.
    package static func load() throws(SourceError) -> FaceTable {
        try FaceTable(parsing: String(decoding: PackageResources.outcomes_yaml, as: UTF8.self), file: "outcomes.yaml")
    }

    init(
        layers: [FaceLayer] = [], settings: [FaceSetting] = [], outcomes: [FaceOutcome] = [],
        hints: [FaceOutcome] = [], sources: [String: String] = [:]
    ) {
        self.layers = layers
        self.settings = settings
        self.outcomes = outcomes
        self.hints = hints
        self.sources = sources
        layersByID = Dictionary(layers.map { ($0.id, $0) }) { first, _ in first }
        outcomesByName = Self.byName(outcomes)
        hintsByName = Self.byName(hints)
    }

    private static func byName(_ rows: [FaceOutcome]) -> [String: FaceOutcome] {
        var index: [String: FaceOutcome] = [:]
        for row in rows { for name in [row.cause] + row.aliases { index[name] = row } }
        return index
    }

    /// The interface of a name in the table.
    package func layer(_ id: String) -> FaceLayer? { layersByID[id] }

    /// The row of a cause, or of another name it has.
    package func outcome(_ cause: String) -> FaceOutcome? { outcomesByName[cause] }

    /// The row of a hint of the gate's.
    package func hint(_ name: String) -> FaceOutcome? { hintsByName[name] }
}
