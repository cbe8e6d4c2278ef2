internal import Documents
internal import Foundation
import YAMLFiles

/// An independent JSON Schema validator, run by Python.
package enum SchemaValidator {
    private static let script = """
        import json, sys, jsonschema
        task = json.load(sys.stdin)
        jsonschema.Draft202012Validator.check_schema(task["schema"])
        validator = jsonschema.Draft202012Validator(task["schema"])
        for document in task["documents"]:
            errors = sorted(validator.iter_errors(document), key=lambda error: list(map(str, error.path)))
            print("ok" if not errors else "/".join(map(str, errors[0].path)) + ": " + errors[0].message.replace("\\n", " "))
        """

    /// The verdict on each YAML text: `ok`, or its first error.
    ///
    /// - Parameter schema: the schema as JSON.
    package static func verdicts(on texts: [String], schema: String) async throws -> [String] {
        let documents = try texts.map { try json(YAMLValue.parse($0, file: "document.yaml")) }
        let schema = try JSONSerialization.jsonObject(with: Data(schema.utf8))
        let task = try JSONSerialization.data(withJSONObject: ["schema": schema, "documents": documents])
        let output = try await Python.run(script: script, standardInput: String(decoding: task, as: UTF8.self))
        return output.lines.map(String.init)
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
}
