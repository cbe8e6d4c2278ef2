extension Schema {
    /// The named forms of a document.
    package struct Definitions {
        /// The JSON Pointer of their place in the document, up to the name.
        let place: String
        package fileprivate(set) var schemas: [String: JSONValue] = [:]

        package init(at place: String) { self.place = place }
    }

    /// The form of a whole document as the text of a JSON Schema.
    package func document(title: String, description: String, members: [String: JSONValue] = [:]) -> String {
        var definitions = Definitions(at: "#/$defs/")
        var json = (json(&definitions).object ?? [:]).merging(members) { own, _ in own }
        json["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        json["title"] = .text(title)
        json["description"] = .text(description)
        if !definitions.schemas.isEmpty { json["$defs"] = .object(definitions.schemas) }
        // The schema holds no number that JSON cannot express.
        let text = try? JSONValue.object(json).folded()
        return (text ?? "{}") + "\n"
    }

    /// The form as JSON Schema (draft 2020-12), which OpenAPI 3.1 uses.
    package func json(_ definitions: inout Definitions) -> JSONValue {
        switch self {
        case .any: return [:]
        case .null: return ["type": "null"]
        case .boolean: return ["type": "boolean"]
        case .integer(let range):
            guard let range else { return ["type": "integer"] }
            return ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .number: return ["type": "number"]
        case .constant(let text): return ["type": "string", "const": .text(text)]
        case .string(let text): return text.json
        case .values(let values): return ["enum": .array(values)]
        case .array(let element, let count):
            var json: [String: JSONValue] = ["type": "array", "items": element.json(&definitions)]
            if let count {
                json["minItems"] = .integer(count.lowerBound)
                if count.upperBound < .max { json["maxItems"] = .integer(count.upperBound) }
            }
            return .object(json)
        case .object(let members): return members.json(&definitions)
        case .map(let schema, let atLeast):
            var json: [String: JSONValue] = ["type": "object", "additionalProperties": schema.json(&definitions)]
            if atLeast > 0 { json["minProperties"] = .integer(atLeast) }
            return .object(json)
        case .anyOf(let alternatives): return ["anyOf": .array(alternatives.map { $0.json(&definitions) })]
        case .orNull(let schema): return Self.orNull(schema.json(&definitions))
        case .named(let name, let schema):
            if definitions.schemas[name] == nil {
                definitions.schemas[name] = [:]
                definitions.schemas[name] = schema.json(&definitions)
            }
            return ["$ref": .text(definitions.place + name)]
        case .described(let words, let schema):
            guard case .object(var json) = schema.json(&definitions) else { return [:] }
            json["description"] = .text(words)
            return .object(json)
        }
    }

    private static func orNull(_ schema: JSONValue) -> JSONValue {
        guard var json = schema.object else { return schema }
        if json["anyOf"] == nil, json["type"] == nil, json["enum"] == nil {
            return ["anyOf": [schema, ["type": "null"]]]
        }
        if let type = json["type"] { json["type"] = [type, "null"] }
        if let values = json["enum"]?.array { json["enum"] = .array(values + [.null]) }
        if let alternatives = json["anyOf"]?.array { json["anyOf"] = .array(alternatives + [["type": "null"]]) }
        return .object(json)
    }
}

extension Schema.Members {
    fileprivate func json(_ definitions: inout Schema.Definitions) -> JSONValue {
        var properties: [String: JSONValue] = [:]
        for member in members { properties[member.name] = member.schema.json(&definitions) }
        var json: [String: JSONValue] = ["type": "object", "additionalProperties": .bool(isOpen)]
        if !properties.isEmpty { json["properties"] = .object(properties) }
        let required = members.filter(\.isRequired).map { JSONValue.text($0.name) }
        if !required.isEmpty { json["required"] = .array(required) }
        if atLeast > 0 { json["minProperties"] = .integer(atLeast) }
        json["maxProperties"] = atMost.map(JSONValue.integer)
        return .object(json)
    }
}

extension Schema.Text {
    fileprivate var json: JSONValue {
        var json: [String: JSONValue] = ["type": "string"]
        if let length {
            json["minLength"] = .integer(length.lowerBound)
            if length.upperBound < .max { json["maxLength"] = .integer(length.upperBound) }
        }
        if let pattern { json["pattern"] = .text("^(?:\(pattern))$") }
        if let choices { json["enum"] = .array(choices.map(JSONValue.text)) }
        if let format { json["format"] = .text(format) }
        if !examples.isEmpty { json["examples"] = .array(examples.map(JSONValue.text)) }
        return .object(json)
    }
}
