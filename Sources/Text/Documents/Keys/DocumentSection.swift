/// A mapping in a document: its keys, and the rules across several keys.
package struct DocumentSection<Model>: Sendable {
    package let keys: [DocumentKey<Model>]
    private let check: @Sendable (inout Model, YAMLFields) throws -> Void

    /// Declares a section; `check` runs after all keys are read.
    package init(
        @SectionBuilder<Model> keys: () -> [DocumentKey<Model>],
        check: @escaping @Sendable (inout Model, YAMLFields) throws -> Void = { _, _ in }
    ) {
        self.keys = keys()
        self.check = check
    }

    /// Reads a mapping into a model, in the order of the declarations.
    ///
    /// - Throws: ``SourceError`` with every unknown key, every value of another form, and every missing key.
    package func read(_ value: YAMLValue, into model: inout Model) throws(SourceError) {
        let fields = try value.fields()
        var mistakes = Mistakes()
        let keysAreKnown = mistakes.attempt(at: value) { try value.checkKeys(Set(keys.map(\.outline.name))) } != nil
        var missing: [SourceError] = []
        for key in keys {
            if let found = fields[key.outline.name] {
                mistakes.attempt(at: value) { try key.read(found, &model) }
            } else if key.outline.presence != .optional {
                missing.append(value.error("\(key.outline.name) is missing"))
            }
        }
        if mistakes.isEmpty, missing.isEmpty { mistakes.attempt(at: value) { try check(&model, fields) } }
        // A misspelt key is missing, too; its own line says more.
        let rest = keysAreKnown ? missing : []
        if let error = SourceError.joining([mistakes.error(at: value)].compactMap(\.self) + rest) { throw error }
    }

    package var schema: Schema {
        .object(
            Schema.Members(
                members: keys.map {
                    Schema.Member(
                        name: $0.outline.name, schema: $0.schema(), isRequired: $0.outline.presence == .required)
                }))
    }

    package var outline: SectionOutline { SectionOutline(keys: keys.map(\.outline)) }
}
