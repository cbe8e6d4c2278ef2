internal import Foundation

/// A JSON value.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package var text: String? { if case .text(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    package subscript(_ name: String) -> JSONValue? { object?[name] }

    /// The value behind names and indices; nil where there is none.
    package func value(at path: [any CodingKey]) -> JSONValue? {
        path.reduce(self) { (value: JSONValue?, key) in
            guard let index = key.intValue else { return value?[key.stringValue] }
            return value?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }

    /// The value's kind, for errors.
    package var noun: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "a whole number"
        case .number: "a number with decimals"
        case .text: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value as indented JSON with sorted keys.
    package func indented() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The value as JSON with sorted keys, divided into lines only where one line would be too long.
    ///
    /// - Parameters:
    ///   - width: the length of a line in characters. A text or a number that is longer has a line of its own.
    ///   - indentation: the blanks before the value's last line.
    package func folded(to width: Int = 120, indentation: String = "") throws -> String {
        let line = String(decoding: try bytes(), as: UTF8.self)
        if indentation.count + line.count <= width { return line }
        let inner = indentation + " "
        switch self {
        case .array(let items):
            let lines = try items.map { inner + (try $0.folded(to: width, indentation: inner)) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
        case .object(let members):
            let lines = try members.sorted { $0.key < $1.key }.map { name, value in
                let name = String(decoding: try JSONValue.text(name).bytes(), as: UTF8.self)
                return "\(inner)\(name): \(try value.folded(to: width, indentation: inner))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
        case .null, .bool, .integer, .number, .text: return line
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The most frequent kinds first: each wrong guess costs the decoder an error with its text.
        if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let members = try? decoder.container(keyedBy: Name.self) {
            var object: [String: JSONValue] = [:]
            for name in members.allKeys { object[name.stringValue] = try members.decode(JSONValue.self, forKey: name) }
            self = .object(object)
        } else if var items = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !items.isAtEnd { array.append(try items.decode(JSONValue.self)) }
            self = .array(array)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
