internal import Foundation

/// A piece of a JSON Schema.
struct SchemaNode: Sendable {
    private(set) var members: [String: JSONNode]

    private init(_ members: [String: JSONNode]) { self.members = members }

    static func text(_ about: String) -> SchemaNode {
        SchemaNode(["type": "string", "minLength": 1, "description": .string(about)])
    }

    static func flag(_ about: String) -> SchemaNode {
        SchemaNode(["type": "boolean", "description": .string(about)])
    }

    static func number(_ about: String, _ range: ClosedRange<Int> = 0...Int(Int32.max)) -> SchemaNode {
        SchemaNode([
            "type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound),
            "description": .string(about),
        ])
    }

    static func span(_ about: String) -> SchemaNode {
        SchemaNode([
            "type": "string", "pattern": "^[0-9]{1,8} +(ms|s|min|h|d)$",
            "description": .string(about + "; a span such as 30 s, 500 ms, 10 min, 48 h or 3 d"),
        ])
    }

    static func pattern(_ pattern: String, _ about: String) -> SchemaNode {
        SchemaNode(["type": "string", "pattern": .string(pattern), "description": .string(about)])
    }

    static func one(of names: [String], _ about: String) -> SchemaNode {
        // A name that looks like a number is one to a reader of YAML, and so are true and false.
        let numbers = names.compactMap(Int.init).map(JSONNode.int)
        return SchemaNode(["enum": .list(names.map(JSONNode.string) + numbers), "description": .string(about)])
    }

    static func list(of item: SchemaNode, _ about: String) -> SchemaNode {
        SchemaNode(["type": "array", "items": .map(item.members), "description": .string(about)])
    }

    static func either(_ nodes: [SchemaNode], _ about: String) -> SchemaNode {
        SchemaNode(["anyOf": .list(nodes.map { .map($0.members) }), "description": .string(about)])
    }

    /// Anything under names of somebody else's choice.
    static func table(of value: SchemaNode, _ about: String) -> SchemaNode {
        SchemaNode(["type": "object", "additionalProperties": .map(value.members), "description": .string(about)])
    }

    /// These keys and no others.
    ///
    /// Those that are not required may be empty, which is as good as absent.
    static func mapping(_ about: String, required: [String] = [], _ properties: [String: SchemaNode]) -> SchemaNode {
        SchemaNode([
            "type": "object", "additionalProperties": false, "description": .string(about),
            "properties": .map(
                Dictionary(
                    uniqueKeysWithValues: properties.map { key, node in
                        (key, .map(required.contains(key) ? node.members : node.orNothing))
                    })),
            "required": .list(required.map(JSONNode.string)),
        ])
    }

    private var orNothing: [String: JSONNode] {
        var members = members
        if case .string(let type)? = members["type"] {
            members["type"] = .list([.string(type), "null"])
        } else if case .list(let names)? = members["enum"] {
            members["enum"] = .list(names + [.null])
        } else if case .list(let nodes)? = members["anyOf"] {
            members["anyOf"] = .list(nodes + [.map(["type": "null"])])
        }
        return members
    }

    /// The same with something a mapping cannot say.
    func adding(_ more: [String: JSONNode]) -> SchemaNode {
        SchemaNode(members.merging(more) { $1 })
    }
}

/// JSON, as schemas are written.
enum JSONNode: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    case string(String)
    case int(Int)
    case bool(Bool)
    case list([JSONNode])
    case map([String: JSONNode])
    case null

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .int(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let text): try container.encode(text)
        case .int(let number): try container.encode(number)
        case .bool(let flag): try container.encode(flag)
        case .list(let items): try container.encode(items)
        case .map(let members): try container.encode(members)
        case .null: try container.encodeNil()
        }
    }

    /// The text, with sorted keys.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Nothing here can fail to encode: there are no floats and no dates.
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }
}
