internal import Documents

/// The profiles, scenarios, known keys and relying parties that are part of the program.
package enum BuiltInFiles {
    /// The text of the file at a path such as `built-in:profiles/solo-2.yaml`; nil for any other path.
    package static func text(at path: String) -> String? {
        path.hasPrefix(BuiltInPath.root) ? embeddedTexts[String(path.dropFirst(BuiltInPath.root.count))] : nil
    }

    /// The names of the files in a folder such as `built-in:profiles`; nil for any other folder.
    package static func names(in folder: String) -> [String]? {
        guard folder.hasPrefix(BuiltInPath.root) else { return nil }
        let prefix = folder.dropFirst(BuiltInPath.root.count) + "/"
        let names = embeddedTexts.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        return names.filter { !$0.contains("/") }
    }
}
