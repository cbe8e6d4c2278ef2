internal import Wording

/// The form of a value in a document: how it is read, and how a schema and a reference describe it.
package struct Form<Value>: Sendable {
    package var schema: Schema { makeSchema() }
    // Readers do without the schema, which takes longer to make than most documents to read.
    let makeSchema: @Sendable () -> Schema
    /// The form in a few words of Markdown, for the reference.
    package let words: String
    /// A sentence for the schema about how the value is written, where the schema cannot say it.
    package let hint: String?
    /// The keys of a mapping, or of a list's mappings.
    package let outline: SectionOutline?
    package let read: @Sendable (YAMLValue) throws -> Value

    package init(
        _ schema: @escaping @autoclosure @Sendable () -> Schema, words: String, hint: String? = nil,
        outline: SectionOutline? = nil, read: @escaping @Sendable (YAMLValue) throws -> Value
    ) {
        makeSchema = schema
        self.words = words
        self.hint = hint
        self.outline = outline
        self.read = read
    }

    /// The same form, whose values become values of the model.
    package func map<Result>(_ transform: @escaping @Sendable (Value) throws -> Result) -> Form<Result> {
        Form<Result>(makeSchema(), words: words, hint: hint, outline: outline) { [read] in try transform(read($0)) }
    }

    /// The same form, which refuses an empty list or mapping.
    package var nonEmpty: Form {
        Form(makeSchema().nonEmpty, words: words, hint: hint, outline: outline) { [read] value in
            try value.checkContent()
            return try read(value)
        }
    }

    /// One of several names, each of which stands for a value.
    package static func named(_ names: [(name: String, value: Value)]) -> Form where Value: Sendable {
        let texts = names.map(\.name)
        // YAML reads a name such as `1004` or `yes` as a number or a flag.
        let numbers = texts.compactMap { Int($0) }.map(JSONValue.integer)
        return Form(.values(texts.map(JSONValue.text) + numbers), words: alternatives(texts.map { "`\($0)`" })) {
            value in
            let text = try value.string()
            guard let found = names.first(where: { $0.name == text }) else {
                throw value.error(
                    "expected one of \(texts.joined(separator: ", ")), found \"\(text)\""
                        + NearestNames.question(text, among: texts))
            }
            return found.value
        }
    }

    /// One form, or a second one for the values that meet a condition.
    package static func either(
        _ first: Form, or second: Form, when isSecond: @escaping @Sendable (YAMLValue) -> Bool
    ) -> Form {
        Form(
            .anyOf([first.schema, second.schema]), words: "\(first.words), or \(second.words)",
            hint: first.hint ?? second.hint, outline: first.outline ?? second.outline
        ) { [first = first.read, second = second.read] value in
            try isSecond(value) ? second(value) : first(value)
        }
    }

    /// A list of one form; `error` is about an empty list, and nil allows one.
    package static func list<Item>(of item: Form<Item>, orElse error: String? = nil) -> Form where Value == [Item] {
        Form(
            .array(item.schema, count: error.map { _ in 1...Int.max }), words: "list of: \(item.words)",
            hint: item.hint, outline: item.outline.map { SectionOutline(keys: $0.keys, isList: true) }
        ) { [read = item.read] value in
            let items = try value.eachItem(read)
            if items.isEmpty, let error { throw value.error(error) }
            return items
        }
    }

    /// A mapping with the keys of a section; a form that occurs at several places has a name in the schema.
    package static func mapping(
        _ section: DocumentSection<Value>, from initial: Value, named name: String? = nil
    ) -> Form where Value: Sendable {
        Form(
            name.map { .named($0, section.schema) } ?? section.schema, words: "mapping", outline: section.outline
        ) { value in
            var model = initial
            try section.read(value, into: &model)
            return model
        }
    }

    /// A mapping with any keys, whose values share one form.
    package static func table<Item>(of item: Form<Item>) -> Form where Value == [String: Item] {
        Form(.map(item.schema), words: "mapping of names to: \(item.words)") { [read = item.read] value in
            Dictionary(try value.eachEntry { ($0, try read($1)) }) { _, last in last }
        }
    }

    private static func alternatives(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension Form where Value == String {
    /// Text that is not empty.
    package static var text: Form {
        Form(.string(1...Int.max), words: "text") { value in
            let text = try value.string()
            guard !text.isEmpty else { throw value.error("expected text, found nothing") }
            return text
        }
    }

    /// Text of one line, without control characters.
    package static var line: Form { Form(.string(1...Int.max), words: "one line") { try $0.singleLine() } }

    /// Text that YAML may take for a number or a flag, such as a PIN.
    package static var scalar: Form { Form(.scalar, words: "text") { try $0.string() } }

    /// One of several names.
    package static func name(_ names: [String]) -> Form { .named(names.map { ($0, $0) }) }
}

extension Form where Value == Bool {
    package static var flag: Form { Form(.boolean, words: "`true` or `false`") { try $0.bool() } }
}

extension Form where Value == Int {
    /// A whole number in a range.
    package static func number(_ range: ClosedRange<Int> = 0...Int(Int32.max)) -> Form {
        Form(.integer(range), words: words(range)) { try $0.int(in: range) }
    }

    /// A whole number whose range the model checks, with an error of its own.
    package static func number(checkedByModel range: ClosedRange<Int>) -> Form {
        Form(.integer(range), words: words(range)) { try $0.int() }
    }

    private static func words(_ range: ClosedRange<Int>) -> String {
        guard range.upperBound < Int(Int32.max) else {
            return range.lowerBound == 0 ? "number" : "number, at least \(range.lowerBound)"
        }
        return "\(range.lowerBound) to \(range.upperBound)"
    }
}

extension Form where Value == Duration {
    /// A span of time such as `30 s`.
    package static var span: Form {
        Form(
            .pattern("[0-9]{1,8} +(ms|s|min|h|d)"), words: "span",
            hint: "A span such as 30 s, 500 ms, 10 min, 48 h or 3 d."
        ) { try $0.duration() }
    }
}

extension Form where Value == Duration {
    /// A span of a step that moves the clock: one of zero has no effect.
    package static var longerSpan: Form {
        let span = Form.span
        return Form(span.schema, words: span.words, hint: span.hint) { value in
            let read = try span.read(value)
            guard read > .zero else { throw value.error("a span of zero has no effect; write a longer one") }
            return read
        }
    }
}

extension Form where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// A case of an enumeration, by its raw value.
    package static var choice: Form { .named(Value.allCases.map { ($0.rawValue, $0) }) }
}
