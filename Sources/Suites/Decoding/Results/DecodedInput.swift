package import CBOR
package import CTAP
package import Trace

/// A violated rule.
package struct DecodingProblem: Hashable, Encodable, Sendable {
    package let text: String
    /// The clause that has the rule; nil for a problem of the text that carries the bytes.
    package let clause: String?
    /// Whether a part of the input is missing or cannot be read; false for a broken rule of what was read.
    package let isDamage: Bool

    private enum CodingKeys: String, CodingKey {
        case text, clause
        case isDamage = "damage"
    }

    init(_ text: String, _ clause: String? = nil, isDamage: Bool = false) {
        self.text = text
        self.clause = clause
        self.isDamage = isDamage
    }

    /// A part of the input that is missing or cannot be read.
    static func damage(_ text: String, _ clause: String? = nil) -> DecodingProblem {
        DecodingProblem(text, clause, isDamage: true)
    }
}

/// One decoded structure or message.
package struct DecodedPart: Hashable, Encodable, Sendable {
    package var title: String
    /// The number of its bytes.
    package let length: Int
    /// The line of the input in which its bytes begin; nil for an input that is not a log.
    package var line: Int?
    package var fields: [TraceField] = []
    package var problems: [DecodingProblem] = []

    /// A copy in which values that the specification defines as secrets are masked.
    package var masked: DecodedPart {
        var part = self
        part.fields = fields.map(\.masked)
        return part
    }
}

/// An input with its meaning.
package struct DecodedInput: Encodable, Sendable {
    /// The form of the text, such as `hexadecimal`.
    package let form: String
    package let kind: DecodedKind
    /// The other kinds that the same bytes fit.
    package let alternatives: [DecodedKind]
    package var parts: [DecodedPart]
    /// The answer to getInfo; nil for every other kind.
    package let info: CBOR.Value?
    /// The members of getInfo that the device may have although the input does not tell.
    package let uncertain: Set<InfoMember>

    /// Whether a part of the input is missing or cannot be read.
    package var isDamaged: Bool { parts.contains { $0.problems.contains(where: \.isDamage) } }

    private enum CodingKeys: String, CodingKey { case form, kind, alternatives, parts }
}

/// The reason that an input cannot be decoded, and what to do.
package struct UndecodableInput: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
