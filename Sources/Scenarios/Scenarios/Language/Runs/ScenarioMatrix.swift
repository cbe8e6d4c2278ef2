internal import Documents
internal import Wording
internal import YAMLFiles

/// The parameters of a scenario: values that all its runs share, and lists of values whose combinations are its runs.
struct ScenarioMatrix: Sendable {
    struct Axis: Sendable {
        let name: String
        let values: [Value]
        let written: YAMLValue
    }

    struct Value: Sendable {
        let name: String
        /// The further entries, each with the ending of its placeholder, which begins with a point.
        let entries: [(ending: String, value: YAMLValue)]
        /// The values of the parameter's placeholders: the name, and the further entries.
        let placeholders: [(ending: String, value: YAMLValue)]
    }

    /// Parameters with one value, which the names of runs leave out.
    fileprivate var constants: [String: YAMLValue] = [:]
    fileprivate var axes: [Axis] = []
    /// Combinations to leave out: the values of some parameters.
    fileprivate var exceptions: [[String: Set<String>]] = []

    private static let mostRuns = 10_000

    /// The keys of a scenario file that declare parameters.
    static let section = DocumentSection<ScenarioMatrix> {
        DocumentKey("matrix", Form.axes.nonEmpty, "Parameters with several values; every combination is a run.") {
            matrix, axes, place in
            guard axes.reduce(1, { min($0, mostRuns + 1) * $1.values.count }) <= mostRuns else {
                throw place.error("the matrix has more than \(mostRuns) combinations; shorten it")
            }
            matrix.axes = axes
        }
        DocumentKey("except", Form.exceptions.nonEmpty, "Combinations to leave out: values of some parameters.") {
            matrix, _, place in
            var left = matrix.combinations
            matrix.exceptions = try place.eachItem { written in
                let exception = try matrix.exception(written)
                let rest = left.filter { !$0.isMeant(by: exception) }
                guard rest.count < left.count else {
                    throw written.error("earlier exceptions leave these combinations out already; remove it")
                }
                left = rest
                return exception
            }
        }
        DocumentKey("parameters", Form.constants.nonEmpty, "Parameters with one value.") { matrix, constants, _ in
            for (name, value) in constants {
                guard !matrix.axes.contains(where: { $0.name == name }) else {
                    throw value.error("\(name) is a parameter of the matrix already; choose another name")
                }
                matrix.constants[name] = value
            }
        }
    }

    /// Reads the parameters of a scenario file, apart from its other keys.
    init(of root: YAMLValue) throws(SourceError) {
        guard case .map(let entries) = root.content else { return }
        let names = Self.section.keys.map(\.outline.name)
        let own = entries.filter { names.contains($0.key) }
        try Self.section.read(YAMLValue(.map(own), at: root), into: &self)
    }

    init() {}

    /// The parameters that a report reads from a run, also without a placeholder.
    private static let ofReports: Set = ["role", "style", "provider"]

    /// Checks that each parameter has a placeholder in the scenario, or in a file with its first steps.
    func checkUse(in root: YAMLValue, _ mistakes: inout Mistakes) {
        guard case .map(let entries) = root.content else { return }
        let others = entries.filter { entry in !Self.section.keys.contains { $0.outline.name == entry.key } }
        let shared = others.filter { $0.key == "before" }.flatMap { $0.value.itemsOrSelf().compactMap(\.sharedFile) }
        var texts: [String] = []
        for path in shared { texts += (try? ResourceFiles.text(of: path)).map { [$0] } ?? [] }
        func isUsed(_ name: String) -> Bool {
            Self.ofReports.contains(name) || others.contains { $0.value.mentions(name) }
                || texts.contains { YAMLValue.text($0, mentions: name) }
        }
        for (name, value) in axes.map({ ($0.name, $0.written) }) + constants.map({ ($0.key, $0.value) }) {
            guard !isUsed(name) else { continue }
            mistakes.add(value.error("nothing in the scenario uses ${\(name)}; use it, or remove the parameter"))
        }
        for axis in axes where isUsed(axis.name) {
            // The values of an axis usually have the same entries; the first of them stands for the others.
            var known: Set<String> = []
            for entry in axis.values.flatMap(\.entries) where known.insert(entry.ending).inserted {
                let name = axis.name + entry.ending
                guard !isUsed(name) else { continue }
                mistakes.add(entry.value.error("nothing in the scenario uses ${\(name)}; use it, or remove the entry"))
            }
        }
    }

    /// Every combination that is a run, in the order written; one without choices for a scenario without a matrix.
    var combinations: [Combination] {
        var combinations = [Combination(choices: [], values: constants)]
        for axis in axes {
            combinations = combinations.flatMap { combination in
                axis.values.map { combination.adding($0, for: axis.name) }
            }
        }
        return combinations.filter { combination in !exceptions.contains(where: combination.isMeant) }
    }

    private func exception(_ written: YAMLValue) throws(SourceError) -> [String: Set<String>] {
        var exception: [String: Set<String>] = [:]
        for (name, value) in try written.entries() {
            guard let axis = axes.first(where: { $0.name == name }) else {
                throw value.error(
                    "there is no parameter \"\(name)\" in the matrix"
                        + NearestNames.question(name, among: axes.map(\.name)))
            }
            let known = axis.values.map(\.name)
            for item in value.itemsOrSelf() {
                let text = try item.string()
                guard known.contains(text) else {
                    throw item.error(
                        "\"\(text)\" is not a value of \(name)"
                            + NearestNames.question(
                                text, among: known, orElse: "choose one of \(known.joined(separator: ", "))"))
                }
                exception[name, default: []].insert(text)
            }
        }
        guard !exception.isEmpty else { throw written.error("the exception is empty; name a parameter and a value") }
        return exception
    }
}

extension Combination {
    /// Whether an exception, the values of some parameters, is about it.
    fileprivate func isMeant(by exception: [String: Set<String>]) -> Bool {
        exception.allSatisfy { name, values in
            choices.contains { $0.parameter == name && values.contains($0.value) }
        }
    }

    fileprivate func adding(_ value: ScenarioMatrix.Value, for parameter: String) -> Combination {
        var values = values
        for placeholder in value.placeholders { values[parameter + placeholder.ending] = placeholder.value }
        return Combination(
            choices: choices + [Combination.Choice(parameter: parameter, value: value.name)], values: values)
    }
}

extension Form<[ScenarioMatrix.Axis]> {
    fileprivate static var axes: Form {
        let value = Schema.anyOf([.scalar, .map(.any)])
        return Form(.map(.anyOf([value, .array(value, count: 1...Int.max)])), words: "mapping of names to values") {
            try $0.eachEntry { name, written in
                try written.checkParameter(name)
                let values = try written.itemsOrSelf().map(ScenarioMatrix.Value.init)
                var names: Set<String> = []
                for value in values where !names.insert(value.name).inserted {
                    throw written.error("\(value.name) is given twice; keep one")
                }
                guard !values.isEmpty else { throw written.error("\(name) has no value; add at least one") }
                return ScenarioMatrix.Axis(name: name, values: values, written: written)
            }
        }
    }
}

extension Form<[(name: String, value: YAMLValue)]> {
    fileprivate static var constants: Form {
        Form(.map(.any), words: "mapping of names to values") { written in
            try written.eachEntry { name, value in
                try written.checkParameter(name)
                return (name, value)
            }
        }
    }
}

extension Form<[YAMLValue]> {
    fileprivate static var exceptions: Form {
        Form(
            .array(.map(.anyOf([.scalar, .array(.scalar)])), count: 1...Int.max),
            words: "list of mappings of parameters to values"
        ) { try $0.items() }
    }
}

extension ScenarioMatrix.Value {
    /// Reads a text, or a mapping with a `name` and further entries.
    fileprivate init(_ written: YAMLValue) throws(SourceError) {
        guard written.isMapping else {
            name = try written.string()
            entries = []
            placeholders = [("", written)]
            return
        }
        guard let own = written.written(under: "name") else { throw written.error("name is missing; add it") }
        name = try own.singleLine()
        entries = try written.entries().filter { $0.key != "name" }.map { (".\($0.key)", $0.value) }
        placeholders = [("", own)] + entries
    }
}

extension YAMLValue {
    fileprivate func checkParameter(_ name: String) throws(SourceError) {
        guard name.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil else {
            throw error("\"\(name)\" is not a name of a parameter; write small letters, digits and hyphens")
        }
    }
}
