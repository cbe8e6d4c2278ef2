/// The form of a JSON value: the rule a value is checked against, and its description in JSON Schema.
package indirect enum Schema: Sendable {
    case any
    case null
    case boolean
    case integer(ClosedRange<Int>? = nil)
    case number
    case string(Text = Text())
    /// Exactly this text.
    case constant(String)
    /// One of these values.
    case values([JSONValue])
    case array(Schema, count: ClosedRange<Int>? = nil)
    case object(Members)
    /// An object with any member names, whose members share one form; with the smallest number of members.
    case map(Schema, atLeast: Int = 0)
    case anyOf([Schema])
    /// A value of this form, or null.
    case orNull(Schema)
    /// A form that JSON Schema refers to by name.
    case named(String, Schema)
    case described(String, Schema)

    /// A text, or a number or flag that stands for its text.
    package static let scalar = Schema.named("Scalar", .anyOf([.string(1...Int.max), .number, .boolean]))

    package struct Text: Sendable {
        /// The length in Unicode code points; an upper bound of `Int.max` stands for none.
        package var length: ClosedRange<Int>?
        /// A regular expression for the whole text, in the syntax that ECMA-262 and Swift share.
        package var pattern: String?
        /// The pattern in words, for errors.
        package var patternWords: String?
        package var choices: [String]?
        /// Finds the problem of a text that the pattern describes only roughly; replaces the check with the pattern.
        package var problem: (@Sendable (String) -> String?)?
        /// A format of JSON Schema or of OpenAPI's registry, which is not checked.
        package var format: String?
        /// Texts to suggest.
        package var examples: [String] = []

        package init(
            length: ClosedRange<Int>? = nil, pattern: String? = nil, patternWords: String? = nil,
            choices: [String]? = nil, format: String? = nil, problem: (@Sendable (String) -> String?)? = nil
        ) {
            self.length = length
            self.pattern = pattern
            self.patternWords = patternWords
            self.choices = choices
            self.format = format
            self.problem = problem
        }
    }

    package struct Members: Sendable {
        package var members: [Member]
        /// Whether other members are allowed.
        package var isOpen: Bool
        /// The minimum number of members.
        package var atLeast: Int
        /// The maximum number of members; nil for none.
        package var atMost: Int?

        package init(members: [Member], isOpen: Bool = false, atLeast: Int = 0, atMost: Int? = nil) {
            self.members = members
            self.isOpen = isOpen
            self.atLeast = atLeast
            self.atMost = atMost
        }
    }

    package struct Member: Sendable {
        package let name: String
        package let schema: Schema
        package let isRequired: Bool

        package init(name: String, schema: Schema, isRequired: Bool) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// An object with exactly these members.
    package static func object(_ members: Member...) -> Schema { .object(Members(members: members)) }

    /// One of these texts.
    package static func choice(_ choices: [String]) -> Schema { .string(Text(choices: choices)) }

    /// A text with a length in code points.
    package static func string(_ length: ClosedRange<Int>) -> Schema { .string(Text(length: length)) }

    /// A text that matches a regular expression as a whole; `words` are the expression in words, for errors.
    package static func pattern(_ pattern: String, _ length: ClosedRange<Int>? = nil, words: String? = nil) -> Schema {
        .string(Text(length: length, pattern: pattern, patternWords: words))
    }
}

extension Schema {
    /// Whether it takes every value.
    package var isAny: Bool {
        switch self {
        case .any: true
        case .named(_, let schema), .described(_, let schema), .orNull(let schema): schema.isAny
        default: false
        }
    }

    /// The form without empty lists and objects.
    package var nonEmpty: Schema {
        switch self {
        case .array(let element, let count):
            .array(element, count: max(1, count?.lowerBound ?? 1)...(count?.upperBound ?? .max))
        case .map(let schema, let atLeast): .map(schema, atLeast: max(1, atLeast))
        case .object(var members):
            {
                members.atLeast = max(1, members.atLeast)
                return .object(members)
            }()
        case .anyOf(let alternatives): .anyOf(alternatives.map(\.nonEmpty))
        case .orNull(let schema): .orNull(schema.nonEmpty)
        case .described(let words, let schema): .described(words, schema.nonEmpty)
        case .any, .null, .boolean, .integer, .number, .string, .constant, .values, .named: self
        }
    }
}

extension Schema.Member {
    package static func required(_ name: String, _ schema: Schema, _ meaning: String? = nil) -> Self {
        Self(name: name, schema: meaning.map { .described($0, schema) } ?? schema, isRequired: true)
    }

    package static func optional(_ name: String, _ schema: Schema, _ meaning: String? = nil) -> Self {
        Self(name: name, schema: meaning.map { .described($0, schema) } ?? schema, isRequired: false)
    }
}
