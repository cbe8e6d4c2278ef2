internal import Foundation

/// Programs in the folders of `PATH`.
package enum ProgramSearch {
    /// The path of the first of several names that a folder of `PATH` has; nil without any.
    ///
    /// - Parameter further: folders to search after those of `PATH`.
    package static func path(of names: [String], further: [String] = []) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + further
        return names.lazy.flatMap { name in folders.lazy.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) && !isFolder($0) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
