public import Devices

/// The scenarios in a directory.
public struct ScenarioLibrary: Sendable {
    /// The directory's path.
    public let directory: String

    /// A library at a path.
    public init(directory: String) {
        self.directory = directory
    }

    /// The library that belongs to this program: `$TOUCHSTONE_SCENARIOS`, `scenarios` in the working directory, or
    /// beside a directory above the executable.
    public static func standard() throws(SourceError) -> ScenarioLibrary {
        ScenarioLibrary(directory: try ResourceDirectory.locate("scenarios", variable: "TOUCHSTONE_SCENARIOS"))
    }

    /// The paths of all scenario files, by name.
    public func files() throws(SourceError) -> [String] {
        try ResourceDirectory.yamlFiles(in: directory)
    }

    /// The path of a scenario: as given when it is a path, otherwise a file of this library.
    public func path(of name: String) -> String {
        name.contains("/") || name.hasSuffix(".yaml") ? name : "\(directory)/\(name).yaml"
    }

    /// Reads one scenario file.
    public static func read(_ path: String) throws(SourceError) -> Scenario {
        try Scenario(parsing: ResourceDirectory.text(of: path), file: path)
    }
}
