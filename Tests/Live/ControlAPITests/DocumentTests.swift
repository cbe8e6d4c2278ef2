import DeviceActs
import DeviceHost
import Documents
import Foundation
import HTTPTypes
import SimulatedDevice
import Testing

@testable import ControlAPI

/// The OpenAPI document and the rules behind it.
@Suite struct DocumentTests {
    @Test("The document lists every endpoint with its errors, every act and every act of the user")
    func documentListsEveryOperation() async throws {
        try await Control.run { control in
            let document = try await control.get("/openapi.json").json
            #expect(document["openapi"] == "3.1.0")
            let paths = try #require(document["paths"]?.object)
            #expect(Set(paths.keys) == Set(control.operations.map(\.path)))
            for operation in control.operations {
                let entry = paths[operation.path]?[operation.method.rawValue.lowercased()]
                let statuses = try #require(entry?["responses"]?.object?.keys)
                #expect(statuses.contains(String(operation.answer.status.code)))
                #expect(statuses.contains("401") && statuses.contains("403"))
                #expect(entry?["security"]?.array?.isEmpty == false)
            }
            let names = control.operations.map(\.name)
            #expect(Set(names).count == names.count)
            let schemas = try #require(document["components"]?["schemas"]?.object)
            let verbs = schemas.values.compactMap { $0["properties"]?["verb"]?["const"]?.text }
            #expect(Set(verbs) == Set(DeviceAct.vocabulary.map(\.word)))
            for word in UserAct.vocabulary.map(\.word) {
                #expect(schemas["PersonAct"]?["pattern"]?.text?.contains(word) == true)
            }
            let printed = try ControlServer.openAPIDocument(control.configuration)
            #expect(try JSONDecoder().decode(JSONValue.self, from: Data(printed)) == document)
        }
    }

    @Test("A schema made from a type has its required and optional members")
    func typeBecomesSchema() throws {
        enum Colour: String, Codable, CaseIterable { case red, green }
        struct Inner: Codable { let count: UInt16 }
        struct Outer: Codable {
            let name: String
            let colour: Colour
            let inner: Inner?
            let list: [Inner]
            let map: [String: Double]
            let flag: Bool?
        }
        var definitions = Schema.Definitions(at: "#/components/schemas/")
        let count: JSONValue = [
            "type": "object", "additionalProperties": false, "required": ["count"],
            "properties": ["count": ["type": "integer", "minimum": 0, "maximum": 65_535]],
        ]
        #expect(
            Schema.of(Outer.self).json(&definitions) == [
                "type": "object", "additionalProperties": false, "required": ["name", "colour", "list", "map"],
                "properties": [
                    "name": ["type": "string"], "colour": ["type": "string", "enum": ["red", "green"]],
                    "inner": count, "list": ["type": "array", "items": count],
                    "map": ["type": "object", "additionalProperties": ["type": "number"]],
                    "flag": ["type": "boolean"],
                ],
            ])
    }

    @Test(
        "Values are checked against schemas",
        arguments: [
            (Schema.integer(1...3), ["1", "3", "2.0"], ["0", "4", "1.5", "\"1\"", "true", "null", "1e99"]),
            (.boolean, ["true", "false"], ["0", "1", "\"true\"", "null"]),
            (.string(2...3), ["\"ab\"", "\"äöü\""], ["\"a\"", "\"abcd\"", "1"]),
            (.pattern("[a-z]+"), ["\"abc\""], ["\"\"", "\"a1\"", "\"abc\\n\"", "\"Abc\""]),
            (.choice(["a", "b"]), ["\"a\""], ["\"c\"", "\"A\""]),
            (.array(.boolean, count: 1...2), ["[true]"], ["[]", "[1]", "[true,true,true]", "{}"]),
            (.object(.required("a", .boolean)), ["{\"a\":true}"], ["{}", "{\"a\":true,\"b\":1}", "[]"]),
            (.anyOf([.integer(), .null]), ["1", "null"], ["\"x\"", "[]"]),
            (.map(.number), ["{}", "{\"a\":1.5}"], ["{\"a\":\"x\"}", "[]"]),
        ] as [(Schema, [String], [String])])
    func schemaAcceptsAndRefusesValues(schema: Schema, good: [String], bad: [String]) throws {
        for text in good {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect(throws: Never.self) { try schema.check(value) }
        }
        for text in bad {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect(throws: (any Error).self) { try schema.check(value) }
        }
    }
}
