package import Documents

/// The JSON Schema and the reference of profiles, from the declarations of their keys.
package enum ProfileSchema {
    /// The schema, draft 2020-12, as text: the content of `profiles/schema.json`.
    package static var json: String {
        var components: [String: JSONValue] = [:]
        var json = DeviceProfile.section.schema.json(&components).object ?? [:]
        json["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        json["title"] = "Touchstone profile"
        json["description"] = "A kind of device; docs/profiles.md describes every key."
        // A profile that extends another may leave out any key that its base has.
        json["if"] = ["not": ["required": ["extends"]]]
        json["then"] = DeviceProfile.section.outline.requirement
        // The schema holds no number that JSON cannot express.
        let text = try? JSONValue.object(json).indented()
        return (text ?? "{}") + "\n"
    }

    /// The keys of a profile.
    package static var outline: SectionOutline { DeviceProfile.section.outline }
}
