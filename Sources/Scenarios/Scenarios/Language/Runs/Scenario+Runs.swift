internal import DeviceProfiles
package import Documents
package import ProfileFiles
internal import YAMLFiles

extension Scenario {
    /// - Returns: A scenario for each combination of its matrix; one for a file without a matrix.
    /// - Throws: ``SourceError`` with the place and the expected form.
    ///
    /// - Parameter profiles: the profiles that devices must have; nil if they are checked later.
    package static func runs(
        parsing text: String, file: String, profiles: ProfileLibrary? = nil
    ) throws(SourceError) -> [Scenario] {
        let root = try YAMLValue.parse(text, file: file)
        let matrix = try ScenarioMatrix(of: root)
        let combinations = matrix.combinations
        guard !combinations.isEmpty else { throw root.error("except leaves no combination; remove one of its entries") }
        var runs: [Scenario] = []
        // A mistake that every combination has is told once, with the first of them.
        var mistakes = Mistakes()
        var known: Set<SourceError> = []
        for combination in combinations {
            var run = Scenario(root, combination)
            guard let error = run.read(root, profiles) else {
                runs.append(run)
                continue
            }
            for mistake in error.each where known.insert(mistake).inserted {
                mistakes.add(combination.choices.isEmpty ? mistake : mistake.adding("(with \(combination.words))"))
            }
        }
        // Another mistake may be the reason why a parameter is not used.
        if mistakes.isEmpty { matrix.checkUse(in: root, &mistakes) }
        try mistakes.check(at: root)
        return runs
    }

    /// Reads the first run of a scenario file.
    package init(parsing text: String, file: String) throws(SourceError) {
        self = try Self.runs(parsing: text, file: file)[0]
    }

    private init(_ root: YAMLValue, _ combination: Combination) {
        file = root.file
        self.combination = combination
    }

    /// Reads the file; returns its mistakes, and those of the profiles of the devices that could be read.
    private mutating func read(_ root: YAMLValue, _ profiles: ProfileLibrary?) -> SourceError? {
        var mistakes: [SourceError] = []
        do {
            try Self.section.read(try Self.filled(root, with: combination), into: &self)
        } catch {
            mistakes.append(error)
        }
        do {
            if let profiles { _ = try self.profiles(from: profiles) }
        } catch {
            mistakes.append(error)
        }
        return SourceError.joining(mistakes)
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
