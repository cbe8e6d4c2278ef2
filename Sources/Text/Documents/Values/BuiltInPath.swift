/// The paths of documents that are part of the program.
package enum BuiltInPath {
    /// The folder of all of them, as paths name it.
    package static let root = "built-in:"

    /// A path as the user reads it: `built-in profiles/solo-2.yaml`; other paths stay as they are.
    package static func title(of path: String) -> String {
        path.hasPrefix(root) ? "built-in " + path.dropFirst(root.count) : path
    }
}
