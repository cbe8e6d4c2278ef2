internal import Foundation

/// A resource as a document or the command line names it: a name in a library, or the path of a file.
package enum ResourceName: Hashable, Sendable {
    /// A name in a library.
    case name(String)
    /// A path: text with a slash, or one that ends in `.yaml`.
    case path(String)

    package init(_ text: String) {
        self = text.contains("/") || text.hasSuffix(".yaml") ? .path(text) : .name(text)
    }

    /// Whether it is a path.
    package var isPath: Bool { if case .path = self { true } else { false } }

    /// The directory of a file, in the form of its path.
    package static func directory(ofFile path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// The same resource, a relative path resolved against the directory of the file that names it.
    package func resolved(against file: String) -> ResourceName {
        switch self {
        case .name: self
        case .path(let path):
            .path(URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: file).deletingLastPathComponent()).path)
        }
    }

    /// The path of the resource's file; a name is a file of a library's directory.
    package func file(in directory: String) -> String {
        switch self {
        case .name(let name): "\(directory)/\(name).yaml"
        case .path(let path): path
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
