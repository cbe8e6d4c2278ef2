import ArgumentParser
import Scenarios

/// The runs of the scenarios that a command takes.
struct ScenarioSelectionOptions: ParsableArguments {
    @Option(
        name: .customLong("matrix"),
        help: ArgumentHelp(
            "Only runs with one of these values of a parameter. May be given for several parameters.",
            valueName: "parameter=value,…"))
    var matrix: [String] = []

    @Option(
        name: .customLong("requirement"),
        help: ArgumentHelp("Only runs that show this requirement. May be given several times.", valueName: "identifier")
    )
    var requirements: [String] = []

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("Only runs with this tag. May be given several times.", valueName: "tag"))
    var tags: [String] = []

    @Flag(
        help:
            "Take only enough of a scenario's runs that every two values of different parameters occur together in one: a fraction of the runs, and most of the faults that need a combination."
    )
    var pairwise = false

    /// - Throws: `CommandError` for a condition that no run meets.
    func select(from runs: [Scenario]) throws -> [Scenario] {
        var selection = ScenarioSelection()
        for text in matrix {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            let values = parts.count == 2 ? parts[1].split(separator: ",").map(String.init) : []
            guard !values.isEmpty else {
                throw CommandError(
                    "--matrix \(text): expected a parameter and a value, such as phone=iphone-face-id", .badInput)
            }
            selection.parameters[parts[0], default: []].formUnion(values)
        }
        selection.requirements = Set(requirements)
        selection.tags = Set(tags)
        selection.isPairwise = pairwise
        let selected: [Scenario]
        do {
            selected = try selection.select(from: runs)
        } catch {
            throw CommandError("\(error)", .badInput)
        }
        // Two parameters need each of their combinations.
        guard !pairwise || selected.contains(where: { $0.combination.choices.count > 2 }) else {
            throw CommandError(
                "--pairwise needs a scenario with a matrix of three parameters or more; remove the option", .badInput)
        }
        return selected
    }
}
