package import Documents
internal import Foundation

/// Finds the directories that come with the program.
package enum ResourceDirectory {
    /// The path of a directory with a name.
    ///
    /// - Parameter variable: the environment variable that overrides the search.
    /// - Throws: ``SourceError`` with the searched places.
    package static func locate(_ name: String, variable: String) throws(SourceError) -> String {
        if let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty {
            guard isDirectory(path) else {
                throw SourceError(file: path, line: nil, message: "$\(variable) does not name a directory")
            }
            return path
        }
        if isDirectory(name) { return name }
        // The executable of a build lies a few levels below the checkout.
        var parent = URL(fileURLWithPath: executablePath).deletingLastPathComponent()
        while parent.path != "/" {
            let candidate = parent.appendingPathComponent(name).path
            if isDirectory(candidate) { return candidate }
            parent = parent.deletingLastPathComponent()
        }
        throw SourceError(
            file: name, line: nil,
            message: "the directory was not found here or above the executable; set $\(variable) to its path")
    }

    /// The paths of the YAML files in a directory, by name.
    package static func yamlFiles(in directory: String) throws(SourceError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory)
                .filter { $0.hasSuffix(".yaml") }.map { $0.dropLast(".yaml".count) }
                .sorted().map { "\(directory)/\($0).yaml" }
        } catch {
            throw SourceError(file: directory, line: nil, message: "the directory cannot be read")
        }
    }

    /// The text of a file.
    package static func text(of path: String) throws(SourceError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SourceError(file: path, line: nil, message: "the file cannot be read")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw SourceError(file: path, line: nil, message: "the file is not UTF-8")
        }
        return text
    }

    private static var executablePath: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments.first ?? "/"
    }

    private static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
