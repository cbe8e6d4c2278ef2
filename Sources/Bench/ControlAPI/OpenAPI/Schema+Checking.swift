internal import LoopbackHTTP

extension Schema {
    /// Holds a value against the rule.
    ///
    /// - Throws: `json.invalidMember` with the path of what is wrong, and what was expected there.
    func check(_ value: JSONValue, at path: String = "") throws(APIError) {
        func expect(_ holds: Bool, _ expectation: String) throws(APIError) {
            guard holds else { throw .jsonInvalidMember(path, "must be \(expectation)") }
        }
        switch self {
        case .any: break
        case .null: try expect(value == .null, "null")
        case .boolean: try expect(value.bool != nil, "true or false")
        case .integer(let range):
            let words = range.map { "a whole number from \($0.lowerBound) to \($0.upperBound)" } ?? "a whole number"
            try expect(value.integer.map { range?.contains($0) ?? true } ?? false, words)
        case .number:
            if case .number = value { break }
            try expect(value.integer != nil, "a number")
        case .constant(let text): try expect(value.text == text, "“\(text)”")
        case .string(let text):
            guard let found = value.text else { throw .jsonInvalidMember(path, "must be text") }
            if let problem = text.problem(found) { throw .jsonInvalidMember(path, problem) }
        case .array(let element, let count):
            guard let elements = value.array else { throw .jsonInvalidMember(path, "must be an array") }
            if let count, !count.contains(elements.count) {
                throw .jsonInvalidMember(path, "must hold \(count.lowerBound) to \(count.upperBound) elements")
            }
            for (index, item) in elements.enumerated() { try element.check(item, at: Self.join(path, "\(index)")) }
        case .object(let members): try members.check(value, at: path)
        case .map(let schema):
            guard let object = value.object else { throw .jsonInvalidMember(path, "must be an object") }
            for (name, member) in object { try schema.check(member, at: Self.join(path, name)) }
        case .anyOf(let alternatives): try Self.check(value, alternatives, at: path)
        case .named(_, let schema), .described(_, let schema): try schema.check(value, at: path)
        }
    }

    fileprivate static func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private static func check(_ value: JSONValue, _ alternatives: [Schema], at path: String) throws(APIError) {
        var errors: [APIError] = []
        for alternative in alternatives {
            do {
                return try alternative.check(value, at: path)
            } catch {
                // What is wrong with the form that was meant says more than that none was met.
                if alternative.isMeant(by: value) { throw error }
                errors.append(error)
            }
        }
        if alternatives.count == 1, let error = errors.first { throw error }
        let tags = alternatives.compactMap(\.tag)
        if tags.count == alternatives.count, let name = tags.first?.name, value.object != nil {
            throw .jsonInvalidMember(
                join(path, name), "must be one of \(tags.map(\.text).joined(separator: ", "))")
        }
        throw .jsonInvalidMember(path, "is of none of the forms that are allowed there")
    }

    /// Whether a value says that it is of this form.
    private func isMeant(by value: JSONValue) -> Bool {
        tag.map { value[$0.name]?.text == $0.text } ?? false
    }

    /// The member of an object that can have one value only.
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
    fileprivate func check(_ value: JSONValue, at path: String) throws(APIError) {
        guard let object = value.object else { throw .jsonInvalidMember(path, "must be an object") }
        for member in members {
            let place = Schema.join(path, member.name)
            guard let found = object[member.name] else {
                guard member.isRequired else { continue }
                throw .jsonInvalidMember(place, "is missing")
            }
            try member.schema.check(found, at: place)
        }
        if !isOpen, let stray = object.keys.sorted().first(where: { name in !members.contains { $0.name == name } }) {
            let known = members.map(\.name).joined(separator: ", ")
            throw .jsonInvalidMember(
                Schema.join(path, stray), known.isEmpty ? "is not known" : "is not known; expected \(known)")
        }
        guard object.count >= atLeast else { throw .jsonInvalidMember(path, "must hold at least \(atLeast) member") }
    }
}

extension Schema.Text {
    fileprivate func problem(_ text: String) -> String? {
        if let choices, !choices.contains(text) { return "must be one of \(choices.joined(separator: ", "))" }
        let count = text.unicodeScalars.count
        if let length, !length.contains(count) {
            return "must have \(length.lowerBound) to \(length.upperBound) characters"
        }
        if let pattern, !Self.matches(text, pattern) { return "must be \(patternWords ?? "of the form \(pattern)")" }
        return nil
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard let regex = try? Regex(pattern).matchingSemantics(.unicodeScalar) else { return false }
        return ((try? regex.wholeMatch(in: text)) ?? nil) != nil
    }
}
