import Foundation
import PackagePlugin

/// Makes the shipped profiles, scenarios, known keys and relying parties part of the program: `scripts/embed.sh` writes them as Swift.
@main
struct EmbedFiles: BuildToolPlugin {
    private static let folders = ["profiles", "scenarios", "scenarios/setup", "hardware/keys", "relying-parties"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let script = root.appending(path: "scripts/embed.sh")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedTexts.swift")
        let directories = Self.folders.map { root.appending(path: $0) }
        let files = try directories.flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
        return [
            .buildCommand(
                displayName: "Embedding the shipped files", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path, output.path, root.path] + Self.folders,
                // A folder changes when a file is added or removed.
                inputFiles: [script] + directories + files, outputFiles: [output])
        ]
    }
}
