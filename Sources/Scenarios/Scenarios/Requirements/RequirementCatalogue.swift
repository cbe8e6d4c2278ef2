package import Documents
internal import YAMLFiles

/// Requirements that scenarios name: identifiers and titles.
///
/// The built-in one is that of this program's own scenarios.
package struct RequirementCatalogue: Sendable {
    package struct Requirement: Sendable {
        /// The identifier, such as a letter and a number.
        package let id: String
        /// The demand, in a few words.
        package let title: String
        /// The reason why no scenario shows it; nil for one that a scenario has to show.
        package internal(set) var gap: Gap?
    }

    package enum Gap: Hashable, Sendable {
        /// The simulation has no part that the requirement needs.
        case pending(String)
        /// No scenario is written yet.
        case uncovered(String)

        package var reason: String {
            switch self {
            case .pending(let reason), .uncovered(let reason): reason
            }
        }
    }

    /// The titles of the groups, by the beginning of their identifiers.
    package private(set) var groups: [String: String] = [:]
    /// The requirements, in the order of the file.
    package private(set) var requirements: [Requirement] = []

    /// The number of requirements that the simulation cannot show.
    package var pendingCount: Int { requirements.count { if case .pending = $0.gap { true } else { false } } }

    /// The catalogue of reports: the built-in one where each scenario is built in, otherwise none.
    package static func of(_ reports: [ScenarioReport]) -> RequirementCatalogue? {
        !reports.isEmpty && reports.allSatisfy { ResourceFiles.isBuiltIn($0.file) } ? shared : nil
    }

    /// The built-in catalogue; an unreadable one is empty, so that reports continue without titles.
    package static let shared: RequirementCatalogue = (try? load()) ?? RequirementCatalogue()

    /// - Throws: ``SourceError`` with the place of the first error.
    package static func load() throws(SourceError) -> RequirementCatalogue {
        try RequirementCatalogue(parsing: EmbeddedText.requirements_yaml, file: "requirements.yaml")
    }

    private init() {}

    package init(parsing text: String, file: String) throws(SourceError) {
        try Self.section.read(try YAMLValue.parse(text, file: file), into: &self)
    }

    private static let section = DocumentSection<RequirementCatalogue> {
        DocumentKey("groups", .texts, "The titles of groups, by the beginning of their identifiers.") {
            catalogue, groups, _ in
            for group in groups { catalogue.groups[group.key] = group.text }
        }
        DocumentKey("requirements", .texts, "The requirements, by identifier.", .required) { catalogue, entries, _ in
            for entry in entries {
                guard !catalogue.requirements.contains(where: { $0.id == entry.key }) else {
                    throw entry.value.error("\(entry.key) is listed twice; remove one of them")
                }
                catalogue.requirements.append(Requirement(id: entry.key, title: entry.text))
            }
        }
        DocumentKey("pending", .texts, "Requirements that cannot be shown, with the reason.") { catalogue, entries, _ in
            for entry in entries { try catalogue.add(.pending(entry.text), to: entry) }
        }
        DocumentKey("uncovered", .texts, "Requirements without a scenario, with the reason.") { catalogue, entries, _ in
            for entry in entries { try catalogue.add(.uncovered(entry.text), to: entry) }
        }
    }

    private mutating func add(_ gap: Gap, to entry: TextEntry) throws(SourceError) {
        guard let index = requirements.firstIndex(where: { $0.id == entry.key }) else {
            throw entry.value.error("there is no requirement \(entry.key); remove it")
        }
        guard requirements[index].gap == nil else { throw entry.value.error("\(entry.key) has a reason already") }
        requirements[index].gap = gap
    }

    /// Finds where scenarios and the catalogue disagree.
    ///
    /// - Returns: A sentence for each requirement that no step looks at, each unknown one that a scenario names, each that
    ///   a scenario names without a step that looks at it, and each gap that a scenario has closed.
    package func problems(in scenarios: [Scenario]) -> [String] {
        let known = Set(requirements.map(\.id))
        var problems: [String] = []
        for scenario in scenarios {
            let shown = Set(scenario.steps.flatMap(\.requirements))
            for id in scenario.requirements {
                if !known.contains(id) { problems.append("\(scenario.file): there is no requirement \(id)") }
                if !shown.contains(id) {
                    problems.append("\(scenario.file): no step names \(id) and expects an observation that shows it")
                }
            }
        }
        let shown = Set(scenarios.flatMap(\.steps).flatMap(\.requirements))
        for requirement in requirements {
            switch (requirement.gap, shown.contains(requirement.id)) {
            case (nil, false): problems.append("no scenario shows \(requirement.id): \(requirement.title)")
            case (.uncovered, true): problems.append("a scenario shows \(requirement.id); remove it under uncovered")
            case (.pending, true): problems.append("a scenario names \(requirement.id), which is pending")
            case (nil, true), (.uncovered, false), (.pending, false): break
            }
        }
        return problems
    }
}

private typealias TextEntry = (key: String, text: String, value: YAMLValue)

extension Form<[TextEntry]> {
    fileprivate static var texts: Form {
        Form(.map(.string()), words: "mapping of names to texts") { value in
            try value.entries().map { ($0.key, try $0.value.singleLine(), $0.value) }
        }
    }
}
