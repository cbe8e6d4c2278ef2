/// One key of a mapping in a document, declared once: its name, its form, its meaning and its place in the model.
///
/// The reader, the JSON Schema and the reference all follow the declaration.
package struct DocumentKey<Model>: Sendable {
    package let outline: SectionOutline.Key
    let schema: @Sendable () -> Schema
    let read: @Sendable (YAMLValue, inout Model) throws -> Void

    private init(
        _ name: String, _ meaning: String, _ presence: KeyPresence, schema: @escaping @Sendable () -> Schema,
        words: String, hint: String?, outline: SectionOutline?,
        read: @escaping @Sendable (YAMLValue, inout Model) throws -> Void
    ) {
        self.outline = SectionOutline.Key(
            name: name, meaning: meaning, words: words, presence: presence, section: outline)
        // A value of null stands for a missing key.
        self.schema = {
            .described(hint.map { "\(meaning) \($0)" } ?? meaning, presence == .required ? schema() : .orNull(schema()))
        }
        self.read = read
    }

    /// A key whose value a closure stores.
    ///
    /// - Parameter store: receives the model, the value, and the value's place for errors. The keys declared before
    ///   this one are in the model already.
    package init<Value>(
        _ name: String, _ form: Form<Value>, _ meaning: String, _ presence: KeyPresence = .optional,
        store: @escaping @Sendable (inout Model, Value, YAMLValue) throws -> Void
    ) {
        self.init(
            name, meaning, presence, schema: form.makeSchema, words: form.words, hint: form.hint, outline: form.outline
        ) { [read = form.read] value, model in try store(&model, try read(value), value) }
    }

    /// A key whose value is a property of the model.
    package init<Value>(
        _ name: String, _ path: any WritableKeyPath<Model, Value> & Sendable, _ form: Form<Value>, _ meaning: String,
        _ presence: KeyPresence = .optional
    ) {
        self.init(name, form, meaning, presence) { model, value, _ in model[keyPath: path] = value }
    }

    /// A key whose value is an optional property of the model.
    package init<Value>(
        _ name: String, _ path: any WritableKeyPath<Model, Value?> & Sendable, _ form: Form<Value>, _ meaning: String,
        _ presence: KeyPresence = .optional
    ) {
        self.init(name, form, meaning, presence) { model, value, _ in model[keyPath: path] = value }
    }

    /// A key whose mapping holds further properties of the same model.
    package init(_ name: String, _ meaning: String, @SectionBuilder<Model> keys: () -> [DocumentKey<Model>]) {
        let section = DocumentSection(keys: keys)
        self.init(
            name, meaning, .optional, schema: { section.schema }, words: "mapping", hint: nil, outline: section.outline
        ) { value, model in try section.read(value, into: &model) }
    }

    /// The same key, for a model that holds this one.
    package func lifted<Outer>(to path: any WritableKeyPath<Outer, Model> & Sendable) -> DocumentKey<Outer> {
        DocumentKey<Outer>(outline: outline, schema: schema) { [read] value, outer in
            try read(value, &outer[keyPath: path])
        }
    }

    private init(
        outline: SectionOutline.Key, schema: @escaping @Sendable () -> Schema,
        read: @escaping @Sendable (YAMLValue, inout Model) throws -> Void
    ) {
        self.outline = outline
        self.schema = schema
        self.read = read
    }
}

/// Whether a mapping needs a key.
package enum KeyPresence: Sendable {
    case optional
    case required
    /// The mapping needs the key, which may come from the document it extends.
    case requiredOnceMerged
}

/// Collects the keys of a section, one statement each.
package typealias SectionBuilder<Model> = ListBuilder<DocumentKey<Model>>
