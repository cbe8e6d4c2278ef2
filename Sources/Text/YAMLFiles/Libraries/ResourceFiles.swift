internal import BuiltIns
package import Documents
internal import Foundation
internal import Machine
internal import Wording

/// Files as libraries read them: on disk, or built into the program.
package enum ResourceFiles {
    package static func text(of path: String) throws(SourceError) -> String {
        if let text = BuiltInFiles.text(at: path) { return text }
        let limit = YAMLReader.longestText
        guard let bytes = BoundedFile.read(path, limit: limit) else {
            throw SourceError(file: path, line: nil, message: exists(path) ? "the file cannot be read" : absence(path))
        }
        guard bytes.count <= limit else { throw YAMLReader.tooLarge(path) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SourceError(file: path, line: nil, message: "the file is not UTF-8")
        }
        return text
    }

    package static func exists(_ path: String) -> Bool {
        BuiltInFiles.text(at: path) != nil || FileManager.default.fileExists(atPath: path)
    }

    /// The paths of the YAML files in a directory, by name.
    package static func yamlFiles(in directory: String) throws(SourceError) -> [String] {
        do {
            let names =
                try BuiltInFiles.names(in: directory) ?? FileManager.default.contentsOfDirectory(atPath: directory)
            // `a.yaml` comes before `a-b.yaml`.
            return names.filter(ResourceName.isYAML)
                .sorted { (ResourceName.name(ofFile: $0), $0) < (ResourceName.name(ofFile: $1), $1) }
                .map { "\(directory)/\($0)" }
        } catch {
            throw SourceError(file: directory, line: nil, message: "the directory cannot be read")
        }
    }

    package static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// The most files of a directory that an error lists.
    private static let mostListed = 5

    /// The error about a missing file, with the files of its directory that have a similar name, or else with all.
    private static func absence(_ path: String) -> String {
        let directory = ResourceName.directory(ofFile: path)
        guard let paths = try? yamlFiles(in: directory) else {
            return "the file was not found; its folder does not exist, check the path"
        }
        guard !paths.isEmpty else {
            return "the file was not found; its folder has no YAML file, check the path and the working directory"
        }
        // A path from the working directory is shown as the user has to write it.
        let isNamed = path.contains("/") && !path.hasPrefix("/") && !isBuiltIn(paths[0])
        let files = paths.map { isNamed ? $0 : String($0.dropFirst(directory.count + 1)) }
        let names = files.map(ResourceName.name(ofFile:))
        let near = NearestNames.to(ResourceName.name(ofFile: path), among: Set(names).sorted())
        let nearest = near.flatMap { name in files.filter { ResourceName.name(ofFile: $0) == name } }
        guard nearest.isEmpty else {
            return "the file was not found; did you mean \(nearest.joined(separator: ", "))?"
        }
        let rest = files.count - mostListed
        return "the file was not found; its folder has \(files.prefix(mostListed).joined(separator: ", "))"
            + (rest > 0 ? " and \(Wording.counted(rest, "more YAML file"))" : "")
    }

    /// Whether a path names a file that is part of the program.
    package static func isBuiltIn(_ path: String) -> Bool { BuiltInFiles.text(at: path) != nil }
}
