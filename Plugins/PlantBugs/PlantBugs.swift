import Foundation
import PackagePlugin

/// Compiles the example app and its tests into a suite, with planted bugs: `scripts/plant-bugs.py` writes them.
@main
struct PlantBugs: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        let example = package.appending(path: "Examples/SignIn")
        let script = package.appending(path: "scripts/plant-bugs.py")
        let output = context.pluginWorkDirectoryURL
        let sources = try Self.files(in: example, "Sources", "Tests")
        let own = try Self.files(in: target.directoryURL, "Bugs", "Fakes")
        let helpers = ["guards.py", "tables.py"].map { package.appending(path: "scripts/mutation/\($0)") }
        let names = sources.map(\.lastPathComponent) + ["PlantedSuites.swift"]
        return [
            .buildCommand(
                displayName: "Planting bugs in the example app", executable: URL(filePath: "/usr/bin/env"),
                arguments: ["python3", "-B", script.path, output.path, example.path, target.directoryURL.path],
                inputFiles: [script] + helpers + sources + own, outputFiles: names.map { output.appending(path: $0) })
        ]
    }

    /// The files in folders, and the folders, which change when a file is added or removed.
    private static func files(in root: URL, _ folders: String...) throws -> [URL] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".toml") }
                .sorted()
                .map { root.appending(path: "\(folder)/\($0)") }
        }
    }
}
