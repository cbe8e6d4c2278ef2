import ArgumentParser
import Conformance
import Wording

/// The choice of cases.
struct CaseSelectionOptions: ParsableArguments {
    @Option(
        name: .customLong("case"),
        help: ArgumentHelp(
            "A case, or all cases whose identifier begins with these parts, such as makeCredential.excludeList. Repeatable.",
            valueName: "identifier"))
    var identifiers: [String] = []

    @Option(
        name: .customLong("skip"),
        help: ArgumentHelp(
            "Leave out a case, or all cases whose identifier begins with these parts. Repeatable.",
            valueName: "identifier"))
    var skipped: [String] = []

    @Option(name: .customLong("level"), help: "Only cases of this level. Repeatable.")
    var levels: [Level] = []

    @Option(
        name: .customLong("specification"),
        help: ArgumentHelp(
            "Only cases of this specification: \(Specification.allCases.map(\.rawValue).joined(separator: ", ")). Repeatable.",
            valueName: "name"))
    var specifications: [Specification] = []

    @Option(help: "Only cases with each of these words in identifier, title, clause or official identifier.")
    var search: String?

    var selection: CaseSelection {
        var selection = CaseSelection()
        selection.identifiers = identifiers
        selection.skipped = skipped
        selection.levels = levels
        selection.specifications = specifications
        selection.words = search
        return selection
    }

    /// Checks that each identifier names a case.
    ///
    /// - Parameter suite: the name of the suite.
    /// - Throws: `CommandError` for an identifier that fits no case, and for a skipped case that no other filter chooses.
    func check(_ all: [CaseDescription], of suite: String) throws {
        for (option, identifier) in identifiers.map({ ("--case", $0) }) + skipped.map({ ("--skip", $0) }) {
            var only = CaseSelection()
            only.identifiers = [identifier]
            guard !all.contains(where: only.contains) else { continue }
            throw CommandError(
                "\(option) \(identifier): the suite has no such case"
                    + NearestNames.question(
                        identifier, among: all.map(\.id),
                        orElse: "`touchstone conformance list \(suite)` lists them"), .badInput)
        }
        var others = selection
        others.skipped = []
        for identifier in skipped {
            var only = CaseSelection()
            only.identifiers = [identifier]
            guard !all.contains(where: { others.contains($0) && only.contains($0) }) else { continue }
            throw CommandError("--skip \(identifier): the other filters leave it out already; remove it", .badInput)
        }
    }
}

extension Level: ExpressibleByArgument {}

extension Specification: ExpressibleByArgument {
    /// Letters and digits count, so that `ctap2.1` means `CTAP 2.1`.
    public init?(argument: String) {
        func plain(_ text: String) -> String { text.lowercased().filter { $0 != " " } }
        guard let found = Specification.allCases.first(where: { plain($0.rawValue) == plain(argument) }) else {
            return nil
        }
        self = found
    }
}
