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

    /// The sections with tables of their own in the reference, by path; the file as a whole has the empty path.
    package static let tables = [
        "", "authenticator", "authenticator.management", "sensor", "lockout", "device-credential",
    ]

    /// The keys of a section as a Markdown table; nil for a path without a section.
    package static func markdown(at path: String) -> String? {
        let names = tables.compactMap { $0.split(separator: ".").last.map(String.init) }
        return outline.section(at: path)?.markdown(separate: Set(names + ["sensors"]))
    }
}
