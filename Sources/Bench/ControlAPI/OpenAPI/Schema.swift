/// What a JSON value may be: both the rule requests are held against and what the OpenAPI document says of it.
indirect enum Schema: Sendable {
    case any
    case null
    case boolean
    case integer(ClosedRange<Int>? = nil)
    case number
    case string(Text = Text())
    /// This very text.
    case constant(String)
    case array(Schema, count: ClosedRange<Int>? = nil)
    case object(Members)
    /// An object whose members all are of one kind.
    case map(Schema)
    case anyOf([Schema])
    /// One that has a name of its own in the document.
    case named(String, Schema)
    /// One with a sentence about it.
    case described(String, Schema)

    /// What a text may be.
    struct Text: Hashable, Sendable {
        /// In Unicode code points.
        var length: ClosedRange<Int>?
        /// A regular expression for the whole of it, in what ECMA-262 and Swift have in common.
        var pattern: String?
        /// What the pattern asks for, where words say it better.
        var patternWords: String?
        var choices: [String]?
        /// A format of JSON Schema, or of OpenAPI's registry, for readers only.
        var format: String?
    }

    /// What an object may hold.
    struct Members: Sendable {
        var members: [Member]
        /// Whether it may hold anything else.
        var isOpen = false
        /// The fewest members it has.
        var atLeast = 0
    }

    /// A member of an object.
    struct Member: Sendable {
        let name: String
        let schema: Schema
        let isRequired: Bool
    }

    /// An object of exactly these members.
    static func object(_ members: Member...) -> Schema { .object(Members(members: members)) }

    /// One of these texts.
    static func choice(_ choices: [String]) -> Schema { .string(Text(choices: choices)) }

    /// A text of so many code points.
    static func string(_ length: ClosedRange<Int>) -> Schema { .string(Text(length: length)) }

    /// A text of a form.
    static func pattern(_ pattern: String, _ length: ClosedRange<Int>? = nil) -> Schema {
        .string(Text(length: length, pattern: pattern))
    }
}

extension Schema.Member {
    /// A member that must be there.
    static func required(_ name: String, _ schema: Schema, _ meaning: String? = nil) -> Self {
        Self(name: name, schema: meaning.map { .described($0, schema) } ?? schema, isRequired: true)
    }

    /// A member that may be left out.
    static func optional(_ name: String, _ schema: Schema, _ meaning: String? = nil) -> Self {
        Self(name: name, schema: meaning.map { .described($0, schema) } ?? schema, isRequired: false)
    }
}
