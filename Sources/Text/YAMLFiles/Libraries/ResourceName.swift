internal import Documents
internal import Foundation

/// A resource as a document or the command line names it: a name in a library, or the path of a file.
package enum ResourceName: Hashable, Sendable {
    case name(String)
    /// A path: text with a slash, or one that ends in `.yaml`, `.yml` or `.json`; YAML includes JSON.
    case path(String)

    package init(_ text: String) {
        self = text.contains("/") || Self.isYAML(text) || text.hasSuffix(".json") ? .path(text) : .name(text)
    }

    package var isPath: Bool { if case .path = self { true } else { false } }

    /// The endings of a YAML file, the usual one first.
    private static let endings = [".yaml", ".yml"]

    package static func isYAML(_ text: String) -> Bool { endings.contains(where: text.hasSuffix) }

    /// The directory of a file, in the form of its path.
    package static func directory(ofFile path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// The same resource, a relative path resolved against the directory of the file that names it.
    package func resolved(against file: String) -> ResourceName {
        switch self {
        case .name: self
        case .path(let path):
            file.hasPrefix(BuiltInPath.root) && !path.hasPrefix("/")
                ? .path("\(Self.directory(ofFile: file))/\(path)") : .path(Self.path(path, besideFile: file))
        }
    }

    /// A path beside a file; relative to the working directory if both are, so that reports are the same on each machine.
    private static func path(_ path: String, besideFile file: String) -> String {
        let whole = URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: file).deletingLastPathComponent()).path
        let here = FileManager.default.currentDirectoryPath + "/"
        guard !path.hasPrefix("/"), !file.hasPrefix("/"), whole.hasPrefix(here) else { return whole }
        return String(whole.dropFirst(here.count))
    }

    /// The paths that the resource's file may have; a name is a file of a library's directory.
    package func files(in directory: String) -> [String] {
        switch self {
        case .name(let name): Self.endings.map { "\(directory)/\(name)\($0)" }
        case .path(let path): [path]
        }
    }

    /// The name under which a library lists a file.
    package static func name(ofFile path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }

    /// A name in a library; nil for text that leads to a file, as a client must not name one.
    package static func plainName(_ text: String) -> String? {
        guard case .name(let name) = ResourceName(text), !name.contains("\0") else { return nil }
        return name
    }
}
