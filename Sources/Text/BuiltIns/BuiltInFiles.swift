/// The profiles, scenarios, known keys and relying parties that are part of the program.
package enum BuiltInFiles {
    /// The folder of all built-in files, as paths name it.
    package static let root = "built-in:"

    /// A path as the user reads it: `built-in profiles/solo-2.yaml`; other paths stay as they are.
    package static func title(of path: String) -> String {
        path.hasPrefix(root) ? "built-in " + path.dropFirst(root.count) : path
    }

    /// The text of the file at a path such as `built-in:profiles/solo-2.yaml`; nil for any other path.
    package static func text(at path: String) -> String? {
        path.hasPrefix(root) ? embeddedTexts[String(path.dropFirst(root.count))] : nil
    }

    /// The names of the files in a folder such as `built-in:profiles`; nil for any other folder.
    package static func names(in folder: String) -> [String]? {
        guard folder.hasPrefix(root) else { return nil }
        let prefix = folder.dropFirst(root.count) + "/"
        let names = embeddedTexts.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        return names.filter { !$0.contains("/") }
    }
}
