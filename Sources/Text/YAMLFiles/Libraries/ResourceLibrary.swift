package import Documents
internal import Foundation
internal import Machine
internal import Wording

/// Files that are found by name: the user's own, then those built into the program.
package struct ResourceLibrary: Sendable {
    /// A kind of file with a library of its own.
    package enum Kind: String, Sendable {
        case profile, scenario
        case knownKey = "key"
        case relyingParty = "relying party"

        package var folder: String {
            switch self {
            case .profile: "profiles"
            case .scenario: "scenarios"
            case .knownKey: "hardware/keys"
            case .relyingParty: "relying-parties"
            }
        }

        /// The environment variable that names a folder of the user, and the part of the path below it.
        fileprivate var variable: (EnvironmentVariable, below: String) {
            switch self {
            case .profile: (.profiles, "")
            case .scenario: (.scenarios, "")
            case .knownKey: (.hardware, "/keys")
            case .relyingParty: (.relyingParties, "")
            }
        }

        /// The command that lists the names.
        fileprivate var listing: String? {
            switch self {
            case .profile: "`touchstone profiles list` lists them"
            case .scenario: "`touchstone scenario list` lists them"
            case .knownKey: nil
            case .relyingParty: "`touchstone relying-party list` lists them"
            }
        }
    }

    /// The directories, the first to be searched first.
    package let directories: [String]
    private let kind: Kind

    /// The name of a directory in errors.
    package static func title(ofDirectory path: String) -> String { BuiltInPath.title(of: path) }

    package init(_ kind: Kind, directories: [String]) {
        self.kind = kind
        self.directories = directories
    }

    /// The program's own library: the folder that the environment variable names, the folder in the working directory,
    /// and the built-in files.
    package static func standard(_ kind: Kind) throws(SourceError) -> ResourceLibrary {
        var directories: [String] = []
        let (variable, below) = kind.variable
        if let path = variable.nonemptyValue {
            guard ResourceFiles.isDirectory(path) else {
                throw SourceError(file: path, line: nil, message: "$\(variable.rawValue) does not name a directory")
            }
            directories.append(path + below)
        }
        if ResourceFiles.isDirectory(kind.folder) { directories.append(kind.folder) }
        return ResourceLibrary(kind, directories: directories + [BuiltInPath.root + kind.folder])
    }

    /// The paths of all files, by name; a name that two directories have stands for the first one's file.
    package func files() throws(SourceError) -> [String] {
        var files: [String: String] = [:]
        for directory in directories {
            for file in try ResourceFiles.yamlFiles(in: directory) {
                let name = ResourceName.name(ofFile: file)
                files[name] = files[name] ?? file
            }
        }
        return files.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The path of the file with a name, or the path itself; throws for an unknown name.
    package func file(_ text: String) throws(SourceError) -> String {
        let resource = ResourceName(text)
        if resource.isPath { return text }
        if let file = directories.lazy.flatMap(resource.files).first(where: ResourceFiles.exists) { return file }
        let names = try files().map(ResourceName.name(ofFile:))
        throw SourceError(
            file: kind.folder, line: nil,
            message: "unknown \(kind.rawValue) \"\(text)\""
                + NearestNames.question(
                    text, among: names, orElse: kind.listing ?? "choose one of \(names.joined(separator: ", "))"))
    }
}
