import Documents
import Testing

/// One object in place of alternatives.
@Suite struct SchemaJoiningTests {
    private static let acts = Schema.named(
        "Act",
        .anyOf([
            .named(
                "Wait",
                .described(
                    "waits",
                    .object(
                        .required("verb", .constant("wait")),
                        .required("arguments", .object(.required("seconds", .integer(0...9))))))),
            .described(
                "shows a text",
                .object(
                    .required("verb", .constant("show")),
                    .required(
                        "arguments",
                        .object(.required("text", .string(0...9)), .optional("seconds", .integer(0...99)))))),
            .object(.required("verb", .constant("end")), .optional("quickly", .boolean)),
        ]))

    private static func json(_ schema: Schema) -> JSONValue {
        var definitions = Schema.Definitions(at: "#/$defs/")
        return schema.json(&definitions)
    }

    @Test func alternativesBecomeOneObjectWithAllMembers() {
        #expect(
            Self.json(Self.acts.joined) == [
                "type": "object", "additionalProperties": false, "required": ["verb"],
                "properties": [
                    "verb": [
                        "type": "string", "enum": ["wait", "show", "end"],
                        "description": "wait (seconds): waits; show (text, seconds?): shows a text; end",
                    ],
                    "arguments": [
                        "type": "object", "additionalProperties": false,
                        "properties": [
                            "seconds": [
                                "anyOf": [
                                    ["type": "integer", "minimum": 0, "maximum": 9],
                                    ["type": "integer", "minimum": 0, "maximum": 99],
                                ]
                            ],
                            "text": ["type": "string", "minLength": 0, "maxLength": 9],
                        ],
                    ],
                    "quickly": ["type": "boolean"],
                ],
            ])
    }

    @Test func itTakesEachValueOfAnAlternative() throws {
        for value: JSONValue in [
            ["verb": "wait", "arguments": ["seconds": 3]], ["verb": "end", "quickly": true],
            ["verb": "show", "arguments": ["text": "x", "seconds": 50]], ["verb": "show", "arguments": ["text": "x"]],
        ] {
            try Self.acts.validate(value)
            try Self.acts.joined.validate(value)
        }
        #expect(throws: SchemaViolation.self) { try Self.acts.joined.validate(["verb": "stop"]) }
    }

    @Test func anotherFormStaysAsItIs() {
        let object = Schema.object(.required("a", .boolean))
        #expect(Self.json(Schema.named("A", object).joined) == Self.json(object))
        let mixed = Schema.anyOf([.boolean, object])
        #expect(Self.json(mixed.joined) == Self.json(mixed))
    }
}
