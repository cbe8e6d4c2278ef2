internal import DeviceProfiles
package import Documents
internal import Foundation
package import ProfileFiles
internal import YAMLFiles

/// Scenarios that are found by name.
package struct ScenarioLibrary: Sendable {
    private let library: ResourceLibrary

    package init(directory: String) { library = ResourceLibrary(.scenario, directories: [directory]) }

    private init(_ library: ResourceLibrary) { self.library = library }

    /// The scenarios in `$TOUCHSTONE_SCENARIOS` and in `scenarios` in the working directory, then those built into the
    /// program.
    package static func standard() throws(SourceError) -> ScenarioLibrary { ScenarioLibrary(try .standard(.scenario)) }

    /// The directories with the scenarios, the first to be searched first.
    package var directories: [String] { library.directories }

    package func files() throws(SourceError) -> [String] { try library.files() }

    /// The path of a scenario: as given when it is a path, otherwise a file of this library.
    ///
    /// - Throws: ``SourceError`` for an unknown name, with the nearest ones.
    package func path(of name: String) throws(SourceError) -> String { try library.file(name) }

    /// The files with steps that a scenario begins with, each with its name beside the scenario.
    ///
    /// - Throws: ``SourceError`` for a file that is not YAML.
    package static func sharedSteps(of path: String) throws(SourceError) -> [(path: String, name: String)] {
        let root = try YAMLValue.parse(try ResourceFiles.text(of: path), file: path)
        let entries = root.written(under: "before")?.itemsOrSelf() ?? []
        return entries.compactMap { entry in
            guard let name = try? entry.string(), ResourceName.isYAML(name),
                case .path(let path) = ResourceName(name).resolved(against: path)
            else { return nil }
            return (path, name)
        }
    }

    /// Reads the runs of one scenario file; `-` is standard input.
    ///
    /// - Parameter profiles: the profiles that devices must have; nil if they are checked later.
    package static func runs(
        of path: String, profiles: ProfileLibrary? = nil
    ) throws(SourceError) -> [Scenario] {
        guard path == standardInput else {
            return try Scenario.runs(parsing: ResourceFiles.text(of: path), file: path, profiles: profiles)
        }
        let bytes = FileHandle.standardInput.readDataToEndOfFile()
        guard let text = String(data: bytes, encoding: .utf8) else {
            throw SourceError(file: path, line: nil, message: "standard input is not UTF-8")
        }
        return try Scenario.runs(parsing: text, file: path, profiles: profiles)
    }
}
