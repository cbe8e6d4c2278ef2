import Documents
import Foundation
import Scenarios
import Testing

/// The catalogue of requirements, and the scenarios that show them.
@Suite("Requirements")
struct RequirementCatalogueTests {
    @Test("Every requirement is shown by a step that looks at it, or has a reason why not")
    func everyRequirementIsShown() throws {
        let catalogue = try RequirementCatalogue.load()
        #expect(catalogue.requirements.count == 134)
        #expect(
            catalogue.requirements.filter { if case .pending = $0.gap { true } else { false } }.map(\.id) == [])
        #expect(catalogue.problems(in: ShippedScenarioTests.runs.map(\.scenario)) == [])
    }

    private static let catalogue = """
        groups: { A: First }
        requirements: { A1: one, A2: two, A3: three, A4: four }
        pending: { A3: no part }
        uncovered: { A4: no time }
        """

    static let disagreements: [(top: String, step: String, problems: [String])] = [
        ("A1", "A1, A2", []),
        ("A1", "A1", ["no scenario shows A2: two"]),
        (
            "A2", "A1",
            ["s.yaml: no step names A2 and expects an observation that shows it", "no scenario shows A2: two"]
        ),
        ("A1", "A1, A2, A9", ["s.yaml: there is no requirement A9"]),
        ("A1", "A1, A2, A3", ["a scenario names A3, which is pending"]),
        ("A1", "A1, A2, A4", ["a scenario shows A4; remove it under uncovered"]),
    ]

    @Test("A disagreement between scenarios and catalogue is found", arguments: disagreements)
    func disagreementIsFound(top: String, step: String, problems: [String]) throws {
        let text = """
            name: t
            requirements: [\(top)]
            devices: { a: x }
            steps:
              - register: { requirements: [\(step)], expect: { http: 201 } }
            """
        let catalogue = try RequirementCatalogue(parsing: Self.catalogue, file: "c.yaml")
        let scenario = try Scenario(parsing: text, file: "s.yaml")
        #expect(catalogue.problems(in: [scenario]) == problems)
    }

    @Test("A catalogue of a user's own needs titles only, and its mistakes have a line")
    func ownCatalogue() throws {
        let catalogue = try RequirementCatalogue(
            parsing: "requirements: { BANK-7: Sign in, BANK-12: Sign out }", file: "c.yaml")
        #expect(catalogue.requirements.map(\.id) == ["BANK-7", "BANK-12"])
        let error = #expect(throws: SourceError.self) {
            try RequirementCatalogue(parsing: "requirements:\n  A: one\npending:\n  B: two\n", file: "c.yaml")
        }
        #expect(error?.line == 4)
    }
}
