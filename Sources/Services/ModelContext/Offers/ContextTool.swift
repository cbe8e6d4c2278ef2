package import Documents
internal import Wording

/// An action that a client's model can ask for.
package struct ContextTool: Sendable {
    /// What a call may do, as hints for the client's user.
    package enum Effect: Sendable {
        /// Nothing changes.
        case reading
        /// Something is added or changed, and nothing is lost.
        case changing
        /// Something may be lost.
        case destroying
    }

    package let name: String
    package let title: String
    package let summary: String
    package let effect: Effect
    /// Whether a call with the same arguments again changes nothing more.
    package let isRepeatable: Bool
    /// Whether it reaches anything beside this program, such as a page on the network.
    package let isOpen: Bool
    /// The form of the arguments, an object.
    package let input: Schema
    /// Whether a call is checked against the form; otherwise the tool checks its arguments itself.
    package let isInputExact: Bool
    package let perform: @Sendable (JSONValue, ToolCall) async throws -> ToolAnswer

    /// - Parameter isRepeatable: default: for a tool that only reads.
    package init(
        _ name: String, title: String, _ summary: String, _ effect: Effect, isRepeatable: Bool? = nil,
        isOpen: Bool = false, input: Schema, isInputExact: Bool = true,
        perform: @escaping @Sendable (JSONValue, ToolCall) async throws -> ToolAnswer
    ) {
        (self.name, self.title, self.summary, self.effect) = (name, title, summary, effect)
        self.isRepeatable = isRepeatable ?? (effect == .reading)
        (self.isOpen, self.input, self.isInputExact, self.perform) = (isOpen, input, isInputExact, perform)
    }

    var json: JSONValue {
        var definitions = Schema.Definitions(at: "#/$defs/")
        var schema = input.json(&definitions).object ?? [:]
        if !definitions.schemas.isEmpty { schema["$defs"] = .object(definitions.schemas) }
        return [
            "name": .text(name), "title": .text(title), "description": .text(summary), "inputSchema": .object(schema),
            "annotations": [
                "title": .text(title), "readOnlyHint": .bool(effect == .reading),
                "destructiveHint": .bool(effect == .destroying), "idempotentHint": .bool(isRepeatable),
                "openWorldHint": .bool(isOpen),
            ],
        ]
    }
}

/// One call of a tool.
package struct ToolCall: Sendable {
    /// Tells the client how far the call is: a growing number, the number at the end, and a sentence.
    package let tell: @Sendable (_ done: Int, _ total: Int, _ message: String) -> Void

    package init(tell: @escaping @Sendable (_ done: Int, _ total: Int, _ message: String) -> Void = { _, _, _ in }) {
        self.tell = tell
    }
}

/// The answer of a tool to a model.
package struct ToolAnswer: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// A value as JSON on one line.
    package init(_ value: JSONValue) throws { text = String(decoding: try value.bytes(), as: UTF8.self) }
}

/// The reason why a tool did not do what it was asked for: a code for programs, and a sentence for the model.
package struct ToolFailure: Error, Hashable, Sendable {
    package let code: String
    package let message: String

    package init(_ code: String, _ message: String) { (self.code, self.message) = (code, message) }

    /// Arguments of another form than the tool's.
    static func invalid(_ violation: SchemaViolation) -> ToolFailure {
        let place = violation.path.isEmpty ? "The arguments" : "The member “\(violation.path)”"
        return ToolFailure("json.invalidMember", Wording.sentence("\(place) \(violation.problem)"))
    }
}
