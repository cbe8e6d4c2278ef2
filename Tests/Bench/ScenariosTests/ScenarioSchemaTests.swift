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
        let schemas = try #require(json["components"]?["schemas"])
        let steps = try #require(schemas["Step"]?["anyOf"]?.array?.last?["properties"]?.object)
        #expect(Set(steps.keys) == Set(ScenarioStep.words))
        let expectations = try #require(schemas["Expectation"]?["anyOf"]?.array?.last?["properties"]?.object)
        #expect(Set(expectations.keys) == Set(Expectation.Subject.all.map(\.name)))
    }

    /// YAML as the JSON that an editor checks.
    private static func json(_ value: YAMLValue) throws -> Any {
        if value.isEmpty { return NSNull() }
        if value.isMapping {
            return Dictionary(uniqueKeysWithValues: try value.entries().map { ($0.key, try json($0.value)) })
        }
        if value.isList { return try value.items().map(json) }
        if let flag = try? value.bool() { return flag }
        if let number = try? value.int(in: Int.min...Int.max) { return number }
        return try value.string()
    }

    private static let script = """
        import json, sys, jsonschema
        task = json.load(sys.stdin)
        jsonschema.Draft202012Validator.check_schema(task["schema"])
        validator = jsonschema.Draft202012Validator(task["schema"])
        for document in task["documents"]:
            errors = sorted(validator.iter_errors(document), key=lambda error: list(map(str, error.path)))
            print("ok" if not errors else "/".join(map(str, errors[0].path)) + ": " + errors[0].message.replace("\\n", " "))
        """

    /// An independent validator's verdict on each text: `ok`, or its first error.
    private static func verdicts(_ texts: [String]) async throws -> [String] {
        let documents = try texts.map { try json(YAMLValue.parse($0, file: "s.yaml")) }
        let schema = try JSONSerialization.jsonObject(with: Data(ScenarioSchema.json.utf8))
        let task = try JSONSerialization.data(withJSONObject: ["schema": schema, "documents": documents])
        let output = try await Python.run(script: script, standardInput: String(decoding: task, as: UTF8.self))
        return output.lines.map(String.init)
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
