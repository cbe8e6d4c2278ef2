import Foundation
import PackagePlugin

/// Makes text files part of the program: `scripts/embed.sh` writes them as Swift.
///
/// `BuiltIns` gets the shipped profiles, scenarios, known keys, relying parties and udev rules by their paths, and `Pages` the
/// pages of `docs`; every other target the text files in its folder as members of `EmbeddedText`. A string compiles a hundred
/// times as fast as the array of bytes of `.embedInCode`.
@main
struct EmbedFiles: BuildToolPlugin {
    /// The folders of the package whose files a target gets by their paths, and the kinds of the files.
    private static let shipped: [String: (folders: [String], kinds: [String])] = [
        "BuiltIns": (
            ["profiles", "scenarios", "scenarios/setup", "hardware", "hardware/keys", "relying-parties"],
            ["yaml", "rules"]
        ),
        "Pages": (["docs"], ["md"]),
    ]
    private static let kinds = ["css", "html", "js", "json", "mustache", "py", "yaml"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        let script = package.appending(path: "scripts/embed.sh")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedTexts.swift")
        let shipped = Self.shipped[target.name]
        let root = shipped == nil ? target.directoryURL : package
        let folders = try shipped?.folders ?? Self.folders(in: root)
        let kinds = shipped?.kinds ?? Self.kinds
        let files = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { name in kinds.contains { name.hasSuffix("." + $0) } }
                .map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
                .sorted()
        }
        return [
            .buildCommand(
                displayName: "Embedding the text files of \(target.name)", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path, shipped == nil ? "members" : "paths", output.path, root.path] + files,
                // A folder changes when a file is added or removed.
                inputFiles: [script] + folders.map { root.appending(path: $0) }
                    + files.map { root.appending(path: $0) },
                outputFiles: [output])
        ]
    }

    /// The folder of a target and those in it, relative to it.
    private static func folders(in root: URL) throws -> [String] {
        try [""]
            + FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { path in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isFolder)
                    && isFolder.boolValue
            }
            .sorted()
    }
}
