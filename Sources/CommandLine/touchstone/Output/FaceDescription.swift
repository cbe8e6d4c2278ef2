import PlatformErrors

/// Which faces are asked for.
struct FaceFilter {
    let platform: Platform?
    let vocabulary: FaceVocabulary?

    /// Whether anybody who asks so sees it.
    func includes(_ entry: FaceEntry) -> Bool {
        if let vocabulary { return vocabulary.includes(entry) }
        return platform.map(entry.platforms.contains) ?? true
    }

    /// Whether the platforms of an entry still tell something.
    var isForOnePlatform: Bool { platform != nil || vocabulary != nil }

    /// ` on iOS`, when only one platform is asked about.
    var words: String { (platform ?? vocabulary?.platform).map { " on \($0.displayName)" } ?? "" }
}

/// One row of the table of faces in words and in JSON.
struct FaceDescription: Encodable {
    let outcome: String
    let meaning: String
    let from: String
    let also: [String]
    let faces: [Cell]
    /// Where the facts are from, by the keys in the cells.
    let sources: [String: String]

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
        let sources: [String]
        /// The number as the interface writes it.
        let written: String?
        /// Where it looks like this, in words.
        let place: String
    }

    /// A row in the list of all.
    struct Summary: Encodable {
        let outcome: String
        let from: String
        let meaning: String
        let also: [String]

        init(_ row: FaceOutcome) {
            outcome = row.cause
            from = row.group
            meaning = row.meaning
            also = row.aliases
        }
    }

    init(_ row: FaceOutcome, _ filter: FaceFilter) {
        self.init(row, row.entries.filter(filter.includes), filter)
    }

    init(_ row: FaceOutcome, _ entries: [FaceEntry], _ filter: FaceFilter) {
        outcome = row.cause
        meaning = row.meaning
        from = row.group
        also = row.aliases
        faces = entries.compactMap { entry in
            FaceTable.shared.layer(entry.layer).map { Cell(entry, $0, filter) }
        }
        let keys = Set(faces.flatMap(\.sources))
        sources = FaceTable.shared.sources.filter { keys.contains($0.key) }
    }

    var lines: [String] {
        var lines = [Terminal.styled(outcome, .bold) + ": " + meaning]
        if !also.isEmpty { lines.append("also known as " + also.joined(separator: ", ")) }
        lines.append("")
        guard !faces.isEmpty else { return lines + ["Nobody is told anything of its own."] }
        var table = TextTable("INTERFACE", "CODE", "NAME", "WHERE", "SOURCE")
        for face in faces {
            let sources = face.sources.joined(separator: " ") + (face.unverified ? " (unverified)" : "")
            table.add(face.interface, face.written ?? "", face.name, face.place, sources)
            if let note = face.note { table.add("", "", "  " + note, "", "") }
        }
        lines += table.lines + [""]
        let width = (sources.keys.map(\.count).max() ?? 0) + 2
        for key in sources.keys.sorted() {
            lines.append(key + String(repeating: " ", count: width - key.count) + (sources[key] ?? ""))
        }
        return lines
    }
}

extension FaceDescription.Cell {
    init(_ entry: FaceEntry, _ layer: FaceLayer, _ filter: FaceFilter) {
        self.layer = layer.id
        interface = layer.name
        code = entry.code.number
        name = entry.code.name
        let platforms = Platform.allCases.filter(entry.platforms.contains)
        let operations = FaceOperation.allCases.filter(entry.operations.contains)
        self.platforms = platforms.map(\.rawValue)
        self.operations = operations.map(\.rawValue)
        settings = entry.choices
        unverified = entry.isUnverified
        note = entry.note
        sources = entry.sources
        written = entry.code.number.map(layer.written)
        var place: [String] = []
        if !filter.isForOnePlatform, platforms.count < Platform.allCases.count {
            place.append(platforms.map(\.displayName).joined(separator: "/"))
        }
        if operations.count < layer.operations.count { place.append(operations.map(\.rawValue).joined(separator: "/")) }
        place += entry.choices.map { "\($0.key): \($0.value)" }.sorted()
        self.place = place.joined(separator: ", ")
    }
}
