package import Documents

extension Scenario {
    /// - Returns: A scenario for each combination of its matrix; one for a file without a matrix.
    /// - Throws: ``SourceError`` with the place and the expected form.
    package static func runs(parsing text: String, file: String) throws(SourceError) -> [Scenario] {
        let root = try YAMLValue.parse(text, file: file)
        let matrix = try ScenarioMatrix(of: root)
        let combinations = matrix.combinations
        guard !combinations.isEmpty else { throw root.error("except leaves no combination; remove one of its entries") }
        let runs = try combinations.map { combination throws(SourceError) in try Scenario(root, combination) }
        try matrix.checkUse(in: root)
        return runs
    }

    /// Reads the first run of a scenario file.
    package init(parsing text: String, file: String) throws(SourceError) {
        self = try Self.runs(parsing: text, file: file)[0]
    }

    private init(_ root: YAMLValue, _ combination: Combination) throws(SourceError) {
        file = root.file
        self.combination = combination
        do {
            try Self.section.read(try Self.filled(root, with: combination), into: &self)
        } catch {
            guard !combination.choices.isEmpty else { throw error }
            throw SourceError(
                file: error.file, line: error.line, column: error.column,
                message: "\(error.message) (with \(combination.words))")
        }
    }

    /// A file's keys with a combination's values in place of placeholders.
    private static func filled(_ root: YAMLValue, with combination: Combination) throws(SourceError) -> YAMLValue {
        guard case .map(let entries) = root.content else { return root }
        let parameters = ScenarioMatrix.section.keys.map(\.outline.name)
        do {
            var filled: [YAMLValue.Entry] = []
            for entry in entries {
                let isParameter = parameters.contains(entry.key)
                let value = isParameter ? entry.value : try entry.value.replacingPlaceholders(with: combination.values)
                filled.append((entry.key, entry.source, value))
            }
            return YAMLValue(.map(filled), at: root)
        } catch {
            // A misspelt `matrix` explains the missing parameter.
            _ = try root.fields(Set(section.keys.map(\.outline.name)))
            throw error
        }
    }
}
