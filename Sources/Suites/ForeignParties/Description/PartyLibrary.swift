package import Documents
internal import YAMLFiles

/// Descriptions of relying parties that are found by name.
package enum PartyLibrary {
    /// The descriptions in `$TOUCHSTONE_RELYING_PARTIES` and in `relying-parties` in the working directory, then those
    /// built into the program.
    ///
    /// - Throws: ``SourceError`` when the variable names no directory.
    package static func files() throws(SourceError) -> [String] { try ResourceLibrary.standard(.relyingParty).files() }

    /// The directories with the descriptions, the first to be searched first.
    package static func directories() throws(SourceError) -> [String] {
        try ResourceLibrary.standard(.relyingParty).directories
    }

    /// The description with a name, or at a path for a name with a slash or one that ends in `.yaml`.
    ///
    /// - Throws: ``SourceError`` for an unknown name, with the nearest ones, and for an invalid file.
    package static func party(_ name: String) throws(SourceError) -> ForeignParty {
        try read(try ResourceLibrary.standard(.relyingParty).file(name))
    }

    package static func read(_ path: String) throws(SourceError) -> ForeignParty {
        try ForeignParty(parsing: ResourceFiles.text(of: path), file: path)
    }
}

/// The JSON Schema and the reference of descriptions, from the declarations of their keys.
package enum PartySchema {
    /// The schema, draft 2020-12, as text: the content of `relying-parties/schema.json`.
    package static var json: String {
        ForeignParty.section.schema.document(
            title: "Touchstone relying party",
            description: "A relying party for scenarios; docs/your-server.md describes every key.")
    }

    /// The keys of a description.
    package static var outline: SectionOutline { ForeignParty.section.outline }
}
