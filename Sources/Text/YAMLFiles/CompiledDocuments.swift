package import Documents

/// YAML documents as Swift, for the rooms that read no file: their text in JSON.
package enum CompiledDocuments: String, Sendable, CaseIterable {
    case profiles
    case platformErrors = "platform-errors"

    /// The file in the project that has these documents.
    package var file: String {
        switch self {
        case .profiles: "Sources/Devices/DeviceProfiles/BuiltIn/CompiledProfiles.swift"
        case .platformErrors: "Sources/Devices/PlatformErrors/CompiledPlatformErrors.swift"
        }
    }

    /// The YAML files in the project that they are made of, as a shell names them.
    package var origin: String {
        switch self {
        case .profiles: "profiles/*.yaml"
        case .platformErrors: "Sources/Devices/PlatformErrors/outcomes.yaml"
        }
    }

    /// The command that makes the file.
    package var command: String { "touchstone compiled \(rawValue) \(origin) > \(file)" }

    /// The Swift source.
    ///
    /// - Throws: the mistakes of a file that cannot be read.
    package func source(of files: [String]) throws(SourceError) -> String {
        var documents: [(name: String, json: String)] = []
        for file in files {
            let value = try YAMLValue.parse(ResourceFiles.text(of: file), file: file)
            documents.append((ResourceName.name(ofFile: file), value.json))
        }
        let head = """
            // swift-format-ignore-file
            // Made from \(origin); do not edit. To make it again: \(command)


            """
        switch self {
        case .profiles:
            let lines = documents.sorted { $0.name < $1.name }.map { "    \"\($0.name)\": \(Self.literal($0.json)),\n" }
            return head + "/// The built-in profiles in JSON, by their names.\n"
                + "let compiledProfiles: [String: String] = [\n\(lines.joined())]\n"
        case .platformErrors:
            return head + "/// The table of platform errors in JSON.\n"
                + "let compiledPlatformErrors = \(Self.literal(documents.map(\.json).joined()))\n"
        }
    }

    /// A raw literal, because JSON has quotation marks and backslashes.
    private static func literal(_ json: String) -> String { "###\"\(json)\"###" }
}
