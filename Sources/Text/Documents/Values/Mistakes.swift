/// Collects the mistakes in the parts of a document, so that a reader learns of all of them at once.
package struct Mistakes {
    private var found: [SourceError] = []

    package init() {}

    package var isEmpty: Bool { found.isEmpty }

    package mutating func add(_ mistake: SourceError) { found.append(mistake) }

    /// Reads a part; nil after a mistake.
    ///
    /// - Parameter place: the place of a mistake that does not know its own.
    @discardableResult
    package mutating func attempt<Part>(at place: YAMLValue, _ read: () throws -> Part) -> Part? {
        do {
            return try read()
        } catch {
            found.append(error as? SourceError ?? place.error("\(error)"))
            return nil
        }
    }

    /// The mistakes as one error, those of the file at `place` first and in its order; nil for none.
    package func error(at place: YAMLValue) -> SourceError? {
        // The order of equal places is that of finding.
        func position(_ mistake: (offset: Int, element: SourceError)) -> (Int, Int, Int, Int) {
            let error = mistake.element
            return (error.file == place.file ? 0 : 1, error.line ?? 0, error.column ?? 0, mistake.offset)
        }
        let sorted = found.flatMap(\.each).enumerated().sorted { position($0) < position($1) }
        return SourceError.joining(sorted.map(\.element))
    }

    /// Throws the mistakes, if there are any.
    package func check(at place: YAMLValue) throws(SourceError) {
        if let error = error(at: place) { throw error }
    }
}

extension YAMLValue {
    /// The items of a list, each read; a single value counts as a list of one.
    ///
    /// - Throws: the mistakes of all items.
    package func eachItemOrSelf<Part>(_ read: (YAMLValue) throws -> Part) throws(SourceError) -> [Part] {
        try each(itemsOrSelf(), of: { $0 }, read)
    }

    /// The items of a list, each read; throws the mistakes of all of them.
    package func eachItem<Part>(_ read: (YAMLValue) throws -> Part) throws(SourceError) -> [Part] {
        try each(items(), of: { $0 }, read)
    }

    /// The entries of a mapping, each read; throws the mistakes of all of them.
    package func eachEntry<Part>(_ read: (String, YAMLValue) throws -> Part) throws(SourceError) -> [Part] {
        try each(entries(), of: { $0.value }) { try read($0.key, $0.value) }
    }

    private func each<Whole, Part>(
        _ parts: [Whole], of value: (Whole) -> YAMLValue, _ read: (Whole) throws -> Part
    ) throws(SourceError) -> [Part] {
        var mistakes = Mistakes()
        var results: [Part] = []
        for part in parts {
            if let result = mistakes.attempt(at: value(part), { try read(part) }) { results.append(result) }
        }
        try mistakes.check(at: self)
        return results
    }
}
