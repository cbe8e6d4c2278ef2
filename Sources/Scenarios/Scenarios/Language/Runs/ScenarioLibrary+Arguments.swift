package import Documents
internal import Foundation
internal import YAMLFiles

extension ScenarioLibrary {
    /// The argument that stands for standard input.
    static let standardInput = "-"

    /// The paths of the scenarios that command-line arguments name.
    ///
    /// - Parameter arguments: names in this library, files, folders, patterns such as `tests/*.yaml`, and `-` for
    ///   standard input; none: every scenario of this library.
    /// - Throws: ``SourceError`` for an argument that names no scenario.
    package func files(matching arguments: [String]) throws(SourceError) -> [String] {
        guard !arguments.isEmpty else { return try files() }
        var paths: [String] = []
        for argument in arguments { paths += try files(matching: argument) }
        return paths
    }

    private func files(matching argument: String) throws(SourceError) -> [String] {
        if argument == Self.standardInput { return [argument] }
        let isPattern = argument.contains { "*?[".contains($0) }
        if isPattern, !FileManager.default.fileExists(atPath: argument) {
            let paths = Self.paths(matching: argument)
            guard !paths.isEmpty else {
                throw SourceError(file: argument, line: nil, message: "no file matches the pattern")
            }
            return paths
        }
        guard ResourceFiles.isDirectory(argument) else { return [try path(of: argument)] }
        // A folder of the working directory does not hide a scenario of its name.
        if !ResourceName(argument).isPath, let file = try? path(of: argument) { return [file] }
        return try Self.scenarios(in: argument)
    }

    private static func scenarios(in folder: String) throws(SourceError) -> [String] {
        let paths = try ResourceFiles.yamlFiles(in: folder)
        guard !paths.isEmpty else {
            throw SourceError(
                file: folder, line: nil, message: "the folder has no scenario, a file that ends in .yaml or .yml")
        }
        return paths
    }

    /// The files that a pattern of the shell matches, by name.
    private static func paths(matching pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { index in
            found.gl_pathv[index].map { String(cString: $0) }
        }
    }
}
