package import Documents
internal import Machine

/// Reads a YAML text into a value, at a limited cost, because another person may have written the text.
struct YAMLReader {
    /// The longest text in bytes; the longest file of the program's own has less than a tenth.
    static let longestText = 1 << 20
    /// The largest number of scalars, lists and mappings in a text.
    private static let mostValues = 100_000
    /// The largest number of lists and mappings within each other.
    private static let deepestNesting = 50
    /// The longest processor time that reading takes, for texts that the other limits do not foresee.
    private static let longestTime = Duration.seconds(2)

    private let file: String
    private let events: YAMLEvents
    private let start = ThreadTime.now
    private var count = 0

    private init(_ text: String, file: String) throws(SourceError) {
        guard text.utf8.count <= Self.longestText else { throw Self.tooLarge(file) }
        self.file = file
        events = try YAMLEvents(text, file: file)
    }

    /// Reads the one document of a text; throws for text that is not YAML, has none or several, or exceeds a limit.
    static func read(_ text: String, file: String) throws(SourceError) -> YAMLValue {
        var reader = try YAMLReader(text, file: file)
        return try reader.document()
    }

    /// The error about a file that is longer than ``longestText``.
    static func tooLarge(_ file: String) -> SourceError {
        SourceError(file: file, line: nil, message: "the file has more than \(longestText) bytes; shorten it")
    }

    private mutating func document() throws(SourceError) -> YAMLValue {
        _ = try events.next()
        guard case .documentStart = try events.next().kind else {
            throw SourceError(file: file, line: nil, message: "the file is empty")
        }
        let root = try value(from: events.next(), at: .root, depth: 0)
        _ = try events.next()
        let last = try events.next()
        guard case .streamEnd = last.kind else {
            throw last.place.error("not YAML: but found another document; keep one")
        }
        return root
    }

    private mutating func value(
        from event: YAMLEvents.Event, at path: YAMLPath, depth: Int
    ) throws(SourceError) -> YAMLValue {
        try countValue(at: event.place, depth: depth)
        let content: YAMLValue.Content =
            switch event.kind {
            case .scalar(let text, let isQuoted): .scalar(text, isQuoted: isQuoted)
            case .listStart: .list(try list(at: path, depth: depth + 1))
            case .mapStart: .map(try map(at: path, depth: depth + 1))
            case .streamStart, .streamEnd, .documentStart, .documentEnd, .listEnd, .mapEnd:
                // libyaml gives a value, or an error, wherever a value belongs.
                throw event.place.error("not YAML: a value is missing")
            }
        return YAMLValue(content, source: event.place, place: path)
    }

    private mutating func list(at path: YAMLPath, depth: Int) throws(SourceError) -> [YAMLValue] {
        var items: [YAMLValue] = []
        while true {
            let event = try events.next()
            if case .listEnd = event.kind { return items }
            items.append(try value(from: event, at: .item(items.count, of: path), depth: depth))
        }
    }

    private mutating func map(at path: YAMLPath, depth: Int) throws(SourceError) -> [YAMLValue.Entry] {
        var entries: [YAMLValue.Entry] = []
        var places: [String: SourcePlace] = [:]
        while true {
            let event = try events.next()
            if case .mapEnd = event.kind { return entries }
            guard case .scalar(let key, _) = event.kind else { throw event.place.error("keys must be plain text") }
            if let first = places.updateValue(event.place, forKey: key) {
                throw first.error("not YAML: \(key) is given twice; keep one")
            }
            let value = try value(from: events.next(), at: .key(key, of: path), depth: depth)
            entries.append((key, event.place, value))
        }
    }

    private mutating func countValue(at place: SourcePlace, depth: Int) throws(SourceError) {
        count += 1
        let excess: String? =
            if count > Self.mostValues {
                "the file has more than \(Self.mostValues) values; shorten it"
            } else if depth > Self.deepestNesting {
                "more than \(Self.deepestNesting) lists and mappings lie within each other; flatten them"
            } else if count.isMultiple(of: 64), ThreadTime.now - start > Self.longestTime {
                "reading the file takes more than \(Self.longestTime.components.seconds) seconds; simplify it"
            } else {
                nil
            }
        if let excess { throw place.error(excess) }
    }
}

extension YAMLValue {
    /// Reads a whole file; throws for text that is not YAML, has none or several documents, or takes too long to read.
    package static func parse(_ text: String, file: String) throws(SourceError) -> YAMLValue {
        try YAMLReader.read(text, file: file)
    }
}
