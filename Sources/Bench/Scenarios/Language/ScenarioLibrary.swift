internal import DeviceProfiles
package import Documents

/// The scenarios in a directory.
package struct ScenarioLibrary: Sendable {
    /// The directory's path.
    package let directory: String

    /// A library at a path.
    package init(directory: String) {
        self.directory = directory
    }

    /// The program's own library: `$TOUCHSTONE_SCENARIOS`, `scenarios` in the working directory, or
    /// beside a directory above the executable.
    package static func standard() throws(SourceError) -> ScenarioLibrary {
        ScenarioLibrary(directory: try ResourceDirectory.locate("scenarios", variable: "TOUCHSTONE_SCENARIOS"))
    }

    /// The paths of all scenario files, by name.
    package func files() throws(SourceError) -> [String] {
        try ResourceDirectory.yamlFiles(in: directory)
    }

    /// The path of a scenario: as given when it is a path, otherwise a file of this library.
    package func path(of name: String) -> String {
        name.contains("/") || name.hasSuffix(".yaml") ? name : "\(directory)/\(name).yaml"
    }

    /// Reads one scenario file.
    package static func read(_ path: String) throws(SourceError) -> Scenario {
        try Scenario(parsing: ResourceDirectory.text(of: path), file: path)
    }
}
