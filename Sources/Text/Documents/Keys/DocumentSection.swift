/// A mapping in a document: its keys, and the rules that no single key shows to be broken.
package struct DocumentSection<Model>: Sendable {
    package let keys: [DocumentKey<Model>]
    private let check: @Sendable (inout Model, YAMLFields) throws -> Void

    /// Declares a section.
    ///
    /// - Parameter check: runs after all keys are read.
    package init(
        @SectionBuilder<Model> keys: () -> [DocumentKey<Model>],
        check: @escaping @Sendable (inout Model, YAMLFields) throws -> Void = { _, _ in }
    ) {
        self.keys = keys()
        self.check = check
    }

    /// Reads a mapping into a model, in the order of the declarations.
    ///
    /// - Throws: ``SourceError`` for an unknown key, a missing key, or a value of another form.
    package func read(_ value: YAMLValue, into model: inout Model) throws(SourceError) {
        let fields = try value.fields(Set(keys.map(\.outline.name)))
        do {
            for key in keys {
                if let found = fields[key.outline.name] {
                    try key.read(found, &model)
                } else if key.outline.presence != .optional {
                    throw value.error("\(key.outline.name) is missing")
                }
            }
            try check(&model, fields)
        } catch let error as SourceError {
            throw error
        } catch {
            throw value.error("\(error)")
        }
    }

    /// The section as a rule of the JSON Schema.
    package var schema: Schema {
        .object(
            Schema.Members(
                members: keys.map {
                    Schema.Member(
                        name: $0.outline.name, schema: $0.schema, isRequired: $0.outline.presence == .required)
                }))
    }

    /// The description of the keys in the schema and the reference.
    package var outline: SectionOutline { SectionOutline(keys: keys.map(\.outline)) }
}
