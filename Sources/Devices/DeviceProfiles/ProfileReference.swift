internal import Documents

/// The reference of the keys of a profile, from their declarations.
package enum ProfileReference {
    /// A mapping of a profile.
    package struct Section: Sendable, Encodable {
        /// The path of the mapping, such as `authenticator.management`; `profile` for the file as a whole.
        package let path: String
        package let keys: [Key]
    }

    /// A key of a mapping, or of a mapping below it.
    package struct Key: Sendable, Encodable {
        package let name: String
        /// The form of the value in a few words of Markdown.
        package let value: String
        /// One sentence.
        package let meaning: String
    }

    /// The sections with a table of their own; the keys of every other mapping are listed in the section above it.
    package static var sections: [Section] {
        let paths = ["", "authenticator", "authenticator.management", "sensor", "lockout", "device-credential"]
        // The items of `sensors` have the keys of `sensor`.
        let separate = Set(paths.compactMap { $0.split(separator: ".").last.map(String.init) } + ["sensors"])
        return paths.compactMap { path in
            ProfileSchema.outline.section(at: path).map {
                Section(path: path.isEmpty ? "profile" : path, keys: $0.rows("", separate))
            }
        }
    }

    /// The reference as a page of the documentation.
    package static var markdown: String {
        let tables = sections.flatMap { section in
            ["## `\(section.path)`", "", "| key | value | meaning |", "|---|---|---|"]
                + section.keys.map { "| `\($0.name)` | \($0.value) | \($0.meaning) |" } + [""]
        }
        let lines = [
            "# Keys of a profile", "",
            "A key is optional unless its value is marked as required, and a required key may come from the profile that "
                + "this one extends. A span is a number and a unit: `500 ms`, `30 s`, `10 min`, `48 h`, `3 d`. Numbers may "
                + "be hexadecimal: `0x1050`.", "",
        ]
        return (lines + tables.dropLast()).joined(separator: "\n") + "\n"
    }
}

extension SectionOutline {
    /// The section at a path such as `authenticator.management`; nil for a path without one.
    fileprivate func section(at path: String) -> SectionOutline? {
        path.split(separator: ".").reduce(self as SectionOutline?) { section, name in
            section?.keys.first { $0.name == name }?.section
        }
    }

    /// The keys, nested ones below their own key; the mappings of `separate` keys are sections of their own.
    fileprivate func rows(_ prefix: String, _ separate: Set<String>) -> [ProfileReference.Key] {
        keys.flatMap { key in
            let name = prefix + key.name
            let value = key.presence == .optional ? key.words : "\(key.words); required"
            let row = ProfileReference.Key(name: name, value: value, meaning: key.meaning)
            guard let section = key.section, !separate.contains(key.name) else { return [row] }
            return [row] + section.rows(section.isList ? "\(name)[]." : "\(name).", separate)
        }
    }
}
