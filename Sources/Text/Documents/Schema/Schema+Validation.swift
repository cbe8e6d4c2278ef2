internal import Synchronization
internal import Wording

/// A JSON value that does not have the form its schema describes.
package struct SchemaViolation: Error, Hashable, Sendable {
    /// The member names and indices that lead to the value, joined by dots; empty for the value as a whole.
    package let path: String
    /// The rule for the value, such as `must be true or false`.
    package let problem: String

    init(_ path: String, _ problem: String) {
        self.path = path
        self.problem = problem
    }

    /// A value of another kind than the expected one.
    init(_ path: String, kind: String, found: JSONValue) { self.init(path, "must be \(kind), not \(found.noun)") }
}

extension Schema {
    /// Checks a value against the form; throws for the first value of another form.
    package func validate(_ value: JSONValue, at path: String = "") throws(SchemaViolation) {
        if let noun, !isOfKind(value) { throw SchemaViolation(path, kind: noun, found: value) }
        switch self {
        case .any, .null, .boolean, .number: break
        case .integer(let range):
            if let range, !(value.integer.map(range.contains) ?? false) {
                throw SchemaViolation(path, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
        case .constant(let text):
            guard value.text == text else { throw SchemaViolation(path, "must be “\(text)”") }
        case .values(let values):
            guard values.contains(value) else {
                throw SchemaViolation(
                    path,
                    "must be one of "
                        + values.compactMap { $0.text ?? $0.integer.map(String.init) }.joined(separator: ", "))
            }
        case .string(let text):
            if let problem = text.problem(of: value.text ?? "") { throw SchemaViolation(path, problem) }
        case .array(let element, let count):
            let elements = value.array ?? []
            if let count, !count.contains(elements.count) {
                throw SchemaViolation(path, "must hold \(count.lowerBound) to \(count.upperBound) elements")
            }
            for (index, item) in elements.enumerated() { try element.validate(item, at: Self.join(path, "\(index)")) }
        case .object(let members): try members.validate(value, at: path)
        case .map(let schema, let atLeast):
            let object = value.object ?? [:]
            if object.count < atLeast { throw SchemaViolation(path, "must have at least \(atLeast) members") }
            for (name, member) in object { try schema.validate(member, at: Self.join(path, name)) }
        case .anyOf(let alternatives): try Self.validate(value, alternatives, at: path)
        case .orNull(let schema): if value != .null { try schema.validate(value, at: path) }
        case .named(_, let schema), .described(_, let schema): try schema.validate(value, at: path)
        }
    }

    fileprivate static func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private static func validate(_ value: JSONValue, _ alternatives: [Schema], at path: String) throws(SchemaViolation)
    {
        var errors: [SchemaViolation] = []
        for alternative in alternatives {
            do {
                return try alternative.validate(value, at: path)
            } catch {
                // The error about the intended form says more than that no form matches.
                if alternative.isMeant(by: value) { throw error }
                errors.append(error)
            }
        }
        if alternatives.count == 1, let error = errors.first { throw error }
        let tags = alternatives.compactMap(\.tag)
        if tags.count == alternatives.count, let name = tags.first?.name, value.object != nil {
            throw SchemaViolation(
                join(path, name),
                "must be one of \(tags.map(\.text).joined(separator: ", "))"
                    + NearestNames.question(value[name]?.text ?? "", among: tags.map(\.text)))
        }
        let ofKind = zip(alternatives, errors).filter { $0.0.isOfKind(value) }.map(\.1)
        if ofKind.count == 1, let error = ofKind.first { throw error }
        let nouns = alternatives.compactMap(\.noun)
        guard ofKind.isEmpty, nouns.count == alternatives.count else {
            throw SchemaViolation(path, "has none of the allowed forms")
        }
        var distinct: [String] = []
        for noun in nouns where !distinct.contains(noun) { distinct.append(noun) }
        throw SchemaViolation(path, kind: distinct.joined(separator: " or "), found: value)
    }

    /// The kind of the form's values, for errors; nil for a form with values of several kinds.
    private var noun: String? {
        switch self {
        case .any, .values, .anyOf, .orNull: nil
        case .null: "null"
        case .boolean: "true or false"
        case .integer(let range):
            range.map { "a whole number from \($0.lowerBound) to \($0.upperBound)" } ?? "a whole number"
        case .number: "a number"
        case .string, .constant: "text"
        case .array: "an array"
        case .object, .map: "an object"
        case .named(_, let schema), .described(_, let schema): schema.noun
        }
    }

    /// Whether a value is of the form's kind, whatever else is wrong with it.
    private func isOfKind(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.null, .null), (.boolean, .bool), (.integer, .integer), (.number, .integer), (.number, .number),
            (.string, .text), (.constant, .text), (.array, .array), (.object, .object), (.map, .object),
            (.any, _), (.values, _), (.orNull, .null):
            true
        case (.anyOf(let alternatives), _): alternatives.contains { $0.isOfKind(value) }
        case (.orNull(let schema), _), (.named(_, let schema), _), (.described(_, let schema), _):
            schema.isOfKind(value)
        default: false
        }
    }

    /// Whether a value names this form by its tag.
    private func isMeant(by value: JSONValue) -> Bool { tag.map { value[$0.name]?.text == $0.text } ?? false }

    /// The member whose constant value tells this form from the alternatives.
    private var tag: (name: String, text: String)? {
        switch self {
        case .named(_, let schema), .described(_, let schema): return schema.tag
        case .object(let members):
            for member in members.members {
                if case .constant(let text) = member.schema { return (member.name, text) }
            }
            return nil
        default: return nil
        }
    }
}

extension Schema.Members {
    fileprivate func validate(_ value: JSONValue, at path: String) throws(SchemaViolation) {
        let object = value.object ?? [:]
        // First, because a misspelt member is also missing.
        if !isOpen, let stray = object.keys.sorted().first(where: { name in !members.contains { $0.name == name } }) {
            let known = members.map(\.name)
            throw SchemaViolation(
                Schema.join(path, stray),
                "is not known" + (known.isEmpty ? "" : "; expected \(known.joined(separator: ", "))")
                    + NearestNames.question(stray, among: known))
        }
        for member in members {
            let place = Schema.join(path, member.name)
            guard let found = object[member.name] else {
                guard member.isRequired else { continue }
                throw SchemaViolation(place, "is missing")
            }
            try member.schema.validate(found, at: place)
        }
        guard object.count >= atLeast else {
            throw SchemaViolation(path, "must hold at least \(Wording.counted(atLeast, "member"))")
        }
        guard object.count <= atMost ?? .max else {
            throw SchemaViolation(path, "must hold at most \(Wording.counted(atMost ?? 0, "member"))")
        }
    }
}

extension Schema.Text {
    fileprivate func problem(of text: String) -> String? {
        if let choices, !choices.contains(text) {
            return "must be one of \(choices.joined(separator: ", "))" + NearestNames.question(text, among: choices)
        }
        let count = text.unicodeScalars.count
        if let length, !length.contains(count) {
            return "must have \(length.lowerBound) to \(length.upperBound) characters"
        }
        if let problem { return problem(text).map { "is wrong: \($0)" } }
        if let pattern, !Self.matches(text, pattern) {
            return "must be \(patternWords ?? "a string of the form \(pattern)")"
        }
        return nil
    }

    /// The compiled patterns, of which a program has few.
    private static let compiled = Mutex<[String: Regex<AnyRegexOutput>]>([:])

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        compiled.withLock { compiled in
            let known = compiled[pattern]
            guard let regex = known ?? (try? Regex(pattern).matchingSemantics(.unicodeScalar)) else { return false }
            if known == nil { compiled[pattern] = regex }
            return ((try? regex.wholeMatch(in: text)) ?? nil) != nil
        }
    }
}
