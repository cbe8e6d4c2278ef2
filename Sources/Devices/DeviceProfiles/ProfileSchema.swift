package import Documents

/// The JSON Schema and the reference of profiles, from the declarations of their keys.
package enum ProfileSchema {
    /// The schema, draft 2020-12, as text: the content of `profiles/schema.json`.
    package static var json: String {
        DeviceProfile.section.schema.document(
            title: "Touchstone profile", description: "A kind of device; `touchstone profiles keys` lists every key.",
            // A profile that extends another may leave out any key that its base has.
            members: ["if": ["not": ["required": ["extends"]]], "then": outline.requirement ?? true])
    }

    package static var outline: SectionOutline { DeviceProfile.section.outline }
}
