import Documents
import Foundation
import Scenarios
import TestSupport
import Testing

@Suite("The JSON Schema of scenarios")
struct ScenarioSchemaTests {
    private static let folder = PackageRoot.url.appending(path: "scenarios")

    @Test func theShippedFileEqualsTheProgramsOutput() throws {
        let file = try String(contentsOf: Self.folder.appending(path: "schema.json"), encoding: .utf8)
        #expect(file == ScenarioSchema.json, "touchstone scenario schema > scenarios/schema.json")
    }

    @Test("The schema has every step and every expectation")
    func schemaListsEveryStepAndExpectation() throws {
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(ScenarioSchema.json.utf8))
        let schemas = try #require(json["$defs"])
        let steps = try #require(schemas["SingleStep"]?["anyOf"]?.array?.last?["properties"]?.object)
        #expect(Set(steps.keys) == Set(ScenarioStep.words))
        let expectations = try #require(schemas["Expectation"]?["anyOf"]?.array?.last?["properties"]?.object)
        #expect(Set(expectations.keys) == Set(Expectation.Subject.all.map(\.name)))
    }

    /// An independent validator's verdict on each text.
    private static func verdicts(_ texts: [String]) async throws -> [String] {
        try await SchemaValidator.verdicts(on: texts, schema: ScenarioSchema.json)
    }

    @Test func everyShippedScenarioIsValid() async throws {
        let files = ShippedScenarioTests.files
        let verdicts = try await Self.verdicts(files.map { try String(contentsOfFile: $0, encoding: .utf8) })
        #expect(verdicts.count == files.count)
        for (file, verdict) in zip(files, verdicts) { #expect(verdict == "ok", "\(file)") }
    }

    static let broken = [
        "dance", "create-account", "register: { colour: red }", "wait: 30", "delete-passkey: 0", "sensor: shiny",
        "register: { expect: { mood: good } }", "register: { expect: fine }", "register: { expect: { http: ok } }",
        "register: { expect: { cause: userCanceled } }", "check: { expect: { screen: none } }", "app: explode",
        "sign-in: { user-verification: maybe }", "sign-out: { person: touch }", "register: { meanwhile: sign-in }",
        "register: { person: [] }", "register: { pin: [] }", "register: { meanwhile: [] }",
        "register: { requirements: [], expect: { http: 200 } }", "register: { expect: {} }",
        "register: { expect: { told: [] } }", "register: { expect: { told: \"\" } }",
        "register: { expect: { body: {} } }",
        "register: { expect: { items: {} } }", "register: { expect: { items: { without: [] } } }",
        "request: { path: /passkeys, headers: {} }", "request: { path: /passkeys, keep: {} }",
    ]

    @Test func brokenStepsAreRefusedByTheReaderAndTheSchema() async throws {
        func text(_ step: String) -> String { "name: t\ndevices: { a: x }\nsteps:\n  - \(step)\n" }
        let verdicts = try await Self.verdicts([text("register")] + Self.broken.map(text))
        #expect(verdicts.first == "ok")
        for (step, verdict) in zip(Self.broken, verdicts.dropFirst()) {
            #expect(verdict != "ok", "\(step)")
            #expect(throws: SourceError.self, "\(step)") { try Scenario(parsing: text(step), file: "s.yaml") }
        }
    }
}
