internal import Causes
package import PlatformErrors

/// One row of the table of platform errors in words and in JSON.
package struct PlatformErrorDescription: Encodable, Sendable {
    package let outcome: String
    package let meaning: String
    package let from: String
    package let also: [String]
    package private(set) var errors: [Cell]
    /// The sources of the facts, by the keys in the cells.
    package let sources: [String: String]

    private enum CodingKeys: String, CodingKey {
        case outcome, meaning, from, also
        case errors = "faces"
        case sources
    }

    package struct Cell: Encodable, Sendable {
        package let layer: String
        package let interface: String
        package let code: Int?
        package let name: String
        package let platforms: [String]
        package let operations: [String]
        package let settings: [String: String]
        package let unverified: Bool
        package let note: String?
        /// The next step, for a code whose causes do not say it.
        package let advice: String?
        package let sources: [String]
        /// The number as the interface writes it.
        package let written: String?
        /// The platforms, operations and settings of the error, in words.
        package let place: String
        /// The name, with a mark if no public source confirms the error.
        package var markedName: String { name + (unverified ? " (?)" : "") }
    }

    package struct Summary: Encodable, Sendable {
        package let outcome: String
        package let from: String
        package let meaning: String
        package let also: [String]

        package init(_ row: PlatformErrorRow) {
            outcome = row.cause.rawValue
            from = row.group
            meaning = row.meaning
            also = row.aliases.map(\.rawValue)
        }
    }

    /// - Parameter cells: The cells to show; default: those of the filter.
    package init(_ row: PlatformErrorRow, _ filter: PlatformErrorFilter, cells: [PlatformErrorCell]? = nil) {
        outcome = row.cause.rawValue
        meaning = row.meaning
        from = row.group
        also = row.aliases.map(\.rawValue)
        errors = (cells ?? row.cells.filter(filter.includes)).compactMap { cell in
            PlatformErrorTable.lookup.interface(cell.interface).map { Cell(cell, $0, filter) }
        }
        let keys = Set(errors.flatMap(\.sources))
        sources = PlatformErrorTable.lookup.sources.filter { keys.contains($0.key) }
    }

    /// The same row with the errors of one interface alone.
    package func only(_ interface: String) -> PlatformErrorDescription {
        var row = self
        row.errors = errors.filter { $0.interface == interface }
        return row
    }
}

extension PlatformErrorDescription.Cell {
    init(_ cell: PlatformErrorCell, _ interface: PlatformInterface, _ filter: PlatformErrorFilter) {
        layer = interface.id
        self.interface = interface.name
        code = cell.code.number
        name = cell.code.name
        let platforms = Platform.allCases.filter(cell.platforms.contains)
        let operations = PlatformOperation.allCases.filter(cell.operations.contains)
        self.platforms = platforms.map(\.rawValue)
        self.operations = operations.map(\.rawValue)
        settings = cell.choices
        unverified = cell.isUnverified
        note = cell.note
        advice = interface.advice(about: cell.code)
        sources = cell.sources
        written = interface.written(cell.code)
        var place: [String] = []
        if !filter.isForOnePlatform, platforms.count < Platform.allCases.count {
            place.append(platforms.map(\.displayName).joined(separator: "/"))
        }
        if operations.count < interface.operations.count {
            place.append(operations.map(\.rawValue).joined(separator: "/"))
        }
        place += cell.choices.map { "\($0.key): \($0.value)" }.sorted()
        self.place = place.joined(separator: ", ")
    }
}
