internal import Causes
internal import ErrorSearch
import PlatformErrors
import Tables

/// The platform errors to show.
struct PlatformErrorFilter {
    let platform: Platform?
    let vocabulary: PlatformErrorVocabulary?

    func includes(_ cell: PlatformErrorCell) -> Bool {
        if let vocabulary { return vocabulary.includes(cell) }
        return platform.map(cell.platforms.contains) ?? true
    }

    /// Whether all cells are of one platform.
    var isForOnePlatform: Bool { platform != nil || vocabulary != nil }

    /// Whether a row has a cell to show; without a filter, every row does.
    func includes(_ row: PlatformErrorRow) -> Bool { !isForOnePlatform || row.cells.contains(where: includes) }

    /// ` on iOS` for a filter of one platform.
    var words: String { (platform ?? vocabulary?.platform).map { " on \($0.displayName)" } ?? "" }
}

/// One row of the table of platform errors in words and in JSON.
struct PlatformErrorDescription: Encodable {
    let outcome: String
    let meaning: String
    let from: String
    let also: [String]
    private(set) var errors: [Cell]
    /// The sources of the facts, by the keys in the cells.
    let sources: [String: String]

    private enum CodingKeys: String, CodingKey {
        case outcome, meaning, from, also
        case errors = "faces"
        case sources
    }

    struct Cell: Encodable {
        let layer: String
        let interface: String
        let code: Int?
        let name: String
        let platforms: [String]
        let operations: [String]
        let settings: [String: String]
        let unverified: Bool
        let note: String?
        /// The next step, for a code whose causes do not say it.
        let advice: String?
        let sources: [String]
        /// The number as the interface writes it.
        let written: String?
        /// The platforms, operations and settings of the error, in words.
        let place: String
        /// The name, with a mark if no public source confirms the error.
        var markedName: String { name + (unverified ? " (?)" : "") }
    }

    struct Summary: Encodable {
        let outcome: String
        let from: String
        let meaning: String
        let also: [String]

        init(_ row: PlatformErrorRow) {
            outcome = row.cause.rawValue
            from = row.group
            meaning = row.meaning
            also = row.aliases.map(\.rawValue)
        }
    }

    /// - Parameter cells: The cells to show; default: those of the filter.
    init(_ row: PlatformErrorRow, _ filter: PlatformErrorFilter, cells: [PlatformErrorCell]? = nil) {
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
    func only(_ interface: String) -> PlatformErrorDescription {
        var row = self
        row.errors = errors.filter { $0.interface == interface }
        return row
    }

    /// The explanation of the mark behind names.
    static let remark = "(?) not confirmed by a public source"

    var lines: [String] {
        var lines = Paragraph.lines(Terminal.styled(outcome, .bold) + ": " + meaning, width: Terminal.width)
        if !also.isEmpty { lines.append("also known as " + also.joined(separator: ", ")) }
        lines.append("")
        guard !errors.isEmpty else { return lines + ["No interface reports an error of its own."] }
        var table = TextTable("INTERFACE", "CODE", "NAME", "WHERE", "SOURCE")
        for error in errors {
            let sources = error.sources.joined(separator: " ") + (error.unverified ? " (unverified)" : "")
            table.add(error.interface, error.written ?? "", error.name, error.place, sources)
            if let note = error.note { table.add(note: "    " + note) }
        }
        var references = TextTable()
        for (key, source) in sources.sorted(by: { $0.key < $1.key }) { references.add(key, source) }
        return lines + table.lines + [""] + references.lines
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
