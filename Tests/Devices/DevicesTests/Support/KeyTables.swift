import DeviceProfiles
import Documents

/// The tables of the profile reference, from the declarations of the keys.
enum KeyTables {
    /// The sections with tables of their own, by path; the file as a whole has the empty path.
    static let paths = [
        "", "authenticator", "authenticator.management", "sensor", "lockout", "device-credential",
    ]

    /// The keys of a section as a Markdown table; nil for a path without a section.
    static func markdown(at path: String) -> String? {
        let names = paths.compactMap { $0.split(separator: ".").last.map(String.init) }
        return ProfileSchema.outline.section(at: path)?.markdown(separate: Set(names + ["sensors"]))
    }
}

extension SectionOutline {
    /// The section at a path such as `authenticator.management`; nil for a path without one.
    fileprivate func section(at path: String) -> SectionOutline? {
        path.split(separator: ".").reduce(self as SectionOutline?) { section, name in
            section?.keys.first { $0.name == name }?.section
        }
    }

    /// The keys as a Markdown table, those of nested mappings below their own key.
    ///
    /// - Parameter separate: the names of keys whose mappings have tables of their own.
    fileprivate func markdown(separate: Set<String> = []) -> String {
        (["| key | value | meaning |", "|---|---|---|"] + rows("", separate)).joined(separator: "\n")
    }

    private func rows(_ prefix: String, _ separate: Set<String>) -> [String] {
        keys.flatMap { key in
            let name = prefix + key.name
            let row = "| `\(name)` | \(key.words)\(key.presence == .optional ? "" : "; required") | \(key.meaning) |"
            guard let section = key.section, !separate.contains(key.name) else { return [row] }
            return [row] + section.rows(section.isList ? "\(name)[]." : "\(name).", separate)
        }
    }
}
