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
    /// - Throws: ``SourceError`` for an unknown key, a missing key, or a value of another form: the first in the file.
    package func read(_ value: YAMLValue, into model: inout Model) throws(SourceError) {
        let fields = try value.fields()
        var mistakes: [SourceError] = []
        func attempt(_ step: () throws -> Void) {
            do { try step() } catch { mistakes.append(error as? SourceError ?? value.error("\(error)")) }
        }
        attempt { try value.checkKeys(Set(keys.map(\.outline.name))) }
        var missing: [String] = []
        for key in keys {
            if let found = fields[key.outline.name] {
                attempt { try key.read(found, &model) }
            } else if key.outline.presence != .optional {
                missing.append(key.outline.name)
            }
        }
        // A misspelt key is missing, too; its own line says more.
        if let name = missing.first, mistakes.isEmpty { mistakes.append(value.error("\(name) is missing")) }
        if mistakes.isEmpty { attempt { try check(&model, fields) } }
        let ownMistakes = mistakes.filter { $0.file == value.file }
        if let mistake = ownMistakes.min(by: { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) })
            ?? mistakes.first
        {
            throw mistake
        }
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
