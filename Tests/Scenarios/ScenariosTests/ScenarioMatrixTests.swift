import Documents
import Foundation
import Scenarios
import SimulatedDevice
import Testing

/// Scenarios with parameters: each combination of a matrix is a run.
@Suite("The matrix of a scenario")
struct ScenarioMatrixTests {
    private static let text = """
        name: Unlock
        tags: [quick]
        matrix:
          phone:
            - { name: pixel-fingerprint, acts: [no-match, match] }
            - { name: iphone-face-id, acts: match }
          role: [peer-mentor, coordinator]
        except: [{ phone: iphone-face-id, role: [coordinator] }]
        parameters: { account: ada@example.com, wait: 30 s }
        devices: { phone: "${phone}" }
        before: [{ create-account: "${account} as a ${role}, $${role}" }]
        steps:
          - verify: { person: "${phone.acts}", requirements: [E5], expect: { failures: 0 } }
          - wait: "${wait}"
          - list-passkeys
        """

    private static func runs() throws -> [Scenario] { try Scenario.runs(parsing: text, file: "s.yaml") }

    @Test("Each combination is a run with its own name, in the order written")
    func combinationsAreRuns() throws {
        #expect(
            try Self.runs().map(\.name) == [
                "Unlock [phone=pixel-fingerprint, role=peer-mentor]",
                "Unlock [phone=pixel-fingerprint, role=coordinator]",
                "Unlock [phone=iphone-face-id, role=peer-mentor]",
            ])
        #expect(try Self.runs().map { $0.devices[0].profile }.last == "iphone-face-id")
    }

    @Test("A placeholder alone stands for a whole value, one inside a text for text")
    func placeholdersAreReplaced() throws {
        let runs = try Self.runs()
        #expect(
            runs.map { $0.steps[1].person.map(\.word) } == [["no-match", "match"], ["no-match", "match"], ["match"]])
        guard case .site(.createAccount(let name, _)) = runs[1].steps[0].action else {
            Issue.record("the first step is not the one under before")
            return
        }
        #expect(name == "ada@example.com as a coordinator, ${role}")
    }

    @Test("A step's requirements are the scenario's")
    func stepsNameRequirements() throws {
        #expect(try Self.runs().allSatisfy { $0.requirements == ["E5"] })
    }

    @Test("Conditions select the runs that meet all of them")
    func conditionsSelectRuns() throws {
        let runs = try Self.runs()
        func selected(_ change: (inout ScenarioSelection) -> Void) throws -> [Int] {
            var selection = ScenarioSelection()
            change(&selection)
            return try selection.select(from: runs).compactMap { run in runs.firstIndex { $0.name == run.name } }
        }
        #expect(try selected { _ in } == [0, 1, 2])
        #expect(try selected { $0.parameters = ["role": ["peer-mentor"]] } == [0, 2])
        #expect(try selected { $0.parameters = ["role": ["peer-mentor"], "phone": ["iphone-face-id"]] } == [2])
        #expect(try selected { $0.parameters = ["role": ["peer-mentor", "coordinator"]] } == [0, 1, 2])
        #expect(try selected { ($0.requirements, $0.tags) = (["E5"], ["quick"]) } == [0, 1, 2])
    }

    @Test("A pairwise choice has each pair of values in fewer runs")
    func pairwiseChoice() throws {
        let text = """
            name: t
            matrix: { a: [a1, a2, a3], b: [b1, b2, b3], c: [c1, c2, c3], d: [d1, d2] }
            except: [{ a: a1, b: b2 }]
            devices: { phone: "${a}-${b}-${c}-${d}" }
            steps: [sign-out]
            """
        let runs = try Scenario.runs(parsing: text, file: "t.yaml")
        var selection = ScenarioSelection()
        selection.isPairwise = true
        let chosen = try selection.select(from: runs)
        func pairs(_ runs: [Scenario]) -> Set<[Combination.Choice]> {
            runs.reduce(into: []) { pairs, run in
                let choices = run.combination.choices
                for first in choices { for second in choices where first != second { pairs.insert([first, second]) } }
            }
        }
        #expect(pairs(chosen) == pairs(runs))
        // Three values of two parameters need nine runs; the exception removes one.
        #expect(8...12 ~= chosen.count && runs.count == 48, "\(chosen.count) of \(runs.count)")
        #expect(try selection.select(from: runs).map(\.name) == chosen.map(\.name))
    }

    @Test("A pairwise choice keeps each value of a single parameter, and a scenario without parameters")
    func pairwiseChoiceOfFew() throws {
        var selection = ScenarioSelection()
        selection.isPairwise = true
        let text = "matrix: { a: [a1, a2, a3] }\ndevices: { phone: \"${a}\" }\nname: t\nsteps: [sign-out]\n"
        let single = try Scenario(parsing: "name: t\ndevices: { a: x }\nsteps: [sign-out]\n", file: "s.yaml")
        let runs = try Scenario.runs(parsing: text, file: "t.yaml") + [single]
        #expect(try selection.select(from: runs).count == 4)
    }

    @Test("Files of which no run is selected are named, many of them by their number")
    func filesLeftOut() throws {
        let files = ["b.yaml", "a.yaml", "c.yaml", "d.yaml", "e.yaml", "f.yaml", "g.yaml"]
        let runs = try files.map { file in
            try Scenario(parsing: "name: t\ndevices: { a: x }\nsteps: [sign-out]\n", file: file)
        }
        #expect(ScenarioSelection.filesLeftOut(runs, selected: runs) == nil)
        #expect(
            ScenarioSelection.filesLeftOut(runs, selected: Array(runs.dropFirst(2)))
                == "no run of a.yaml, b.yaml meets the conditions")
        #expect(
            ScenarioSelection.filesLeftOut(runs, selected: [runs[0]]) == "no run of 6 files meets the conditions")
    }

    static let unmet: [(parameters: [String: [String]], says: String)] = [
        (["phon": ["x"]], "did you mean phone?"), (["role": ["peer-mentr"]], "did you mean peer-mentor?"),
        (["phone": ["iphone-face-id"], "role": ["coordinator"]], "no run meets every condition"),
    ]

    @Test("A condition that no run meets is refused with the nearest names", arguments: unmet)
    func unmetConditionIsRefused(parameters: [String: [String]], says: String) throws {
        var selection = ScenarioSelection()
        selection.parameters = parameters.mapValues(Set.init)
        let runs = try Self.runs()
        let problem = #expect(throws: ScenarioSelection.Problem.self) { try selection.select(from: runs) }
        #expect(problem?.description.contains(says) == true, "\(String(describing: problem))")
    }

    static let mistakes: [(text: String, place: [Int], says: String)] = [
        ("matrix: { phone: [] }", [2, 18], "phone has no value"),
        ("matrix: { phone: [a, a] }", [2, 18], "a is given twice"),
        ("matrix: { Phone: a }", [2, 18], "not a name of a parameter"),
        ("matrix: { phone: { of: a } }", [2, 18], "name is missing"),
        ("matrix: { phone: a }\nexcept: [{ phon: a }]", [3, 18], "did you mean phone?"),
        ("matrix: { phone: [abc, d] }\nexcept: [{ phone: abd }]", [3, 19], "did you mean abc?"),
        ("matrix: { phone: a }\nexcept: [{ phone: a }]", [1, 1], "leaves no combination"),
        ("matrix: { phone: a }\nparameters: { phone: b }", [3, 22], "a parameter of the matrix already"),
        ("matrix: { phone: a }\npeople: { a: { far: \"${phon}\" } }", [3, 21], "did you mean phone?"),
        ("matrx: { phone: a }\npeople: { a: { far: \"${phone}\" } }", [2, 1], "did you mean matrix?"),
        ("parameters: { x: [a] }\nabout: a ${x}", [3, 8], "is not text"),
        ("parameters: { x: a }\nabout: a ${x", [3, 8], "has no }"),
        ("matrix: { phone: [b, c] }\ntags: [1, \"${phone}\", { a: b }]", [3, 23], "(with phone=b)"),
        ("before: setup/none.yaml", [2, 9], "was not found"),
        ("tags: a", [2, 7], "expected a list"),
    ]

    @Test("A mistake is reported with line and column", arguments: mistakes)
    func mistakeHasItsPlace(text: String, place: [Int], says: String) throws {
        let text = "name: t\n\(text)\ndevices: { a: x }\nsteps: [register]\n"
        let error = try #require(
            #expect(throws: SourceError.self) { try Scenario.runs(parsing: text, file: "s.yaml") })
        #expect([error.line, error.column] == place, "\(error)")
        #expect(error.message.contains(says), "\(error)")
    }

    @Test("A step that names a requirement expects something in particular")
    func requirementNeedsExpectation() throws {
        for expect in ["", ", expect: ok"] {
            let text = "name: t\ndevices: { a: x }\nsteps:\n  - register: { requirements: A3\(expect) }\n"
            let error = #expect(throws: SourceError.self) { try Scenario(parsing: text, file: "s.yaml") }
            #expect(error?.line == 4 && error?.message.contains("A3") == true, "\(String(describing: error))")
        }
    }

    @Test("The steps of a shared file are played first, with its places and the run's values")
    func sharedStepsComeFirst() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "scenarios-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shared = folder.appending(path: "shared.yml")
        try "steps:\n  - create-account: \"${account}\"\n".write(to: shared, atomically: true, encoding: .utf8)
        let text = """
            name: t
            parameters: { account: ada }
            devices: { a: x }
            before: [shared.yml, sign-out]
            steps: [register]
            """
        let scenario = try Scenario(parsing: text, file: folder.appending(path: "s.yml").path)
        #expect(scenario.steps.map(\.word) == ["create-account", "sign-out", "register"])
        #expect(scenario.steps.map(\.line) == [2, 4, 5])
        #expect(scenario.steps[0].place.file == shared.path)
        try "steps:\n  - create-acount: x\n".write(to: shared, atomically: true, encoding: .utf8)
        let error = #expect(throws: SourceError.self) { try Scenario(parsing: text, file: scenario.file) }
        #expect(error?.file == shared.path && error?.line == 2 && error?.column == 5, "\(String(describing: error))")
    }
}
