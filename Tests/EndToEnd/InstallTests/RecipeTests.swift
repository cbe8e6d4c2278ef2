import Documents
import Foundation
import Machine
import RelyingPartyServer
import TestSupport
import Testing
import YAMLFiles

/// The recipes of docs/ci.md: their commands of touchstone, in a folder with the files that they name.
@Suite("The recipes for continuous integration")
struct RecipeTests {
    /// The recipes with a server: the name of the system, and its text.
    static let recipes: [(system: String, text: String)] = {
        let file = PackageRoot.url.appending(path: "docs/ci.md")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.matches(of: /### ([^\n]+)\n\n```(?:yaml|groovy)\n(.+?)\n```/.dotMatchesNewlines())
            .map { (String($0.1), String($0.2)) }
    }()

    @Test func fiveSystemsHaveARecipe() {
        #expect(
            Self.recipes.map(\.system) == ["GitHub Actions", "GitLab CI", "Azure Pipelines", "CircleCI", "Jenkins"])
    }

    @Test(arguments: recipes)
    func theCommandsRun(_ recipe: (system: String, text: String)) async throws {
        if recipe.system != "Jenkins" { _ = try YAMLValue.parse(recipe.text, file: recipe.system) }
        let commands = recipe.text.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /(?:mkdir -p \w+ && )?touchstone (?:relying-party|scenario) [^']+/).map { String($0.0) }
        }
        #expect(commands.count == 2, "\(commands)")
        #expect(recipe.text.contains("apt-get install -y ./ci/touchstone_*.deb"))

        let folder = FileManager.default.temporaryDirectory.appending(path: "recipe-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let scenarios = folder.appending(path: "passkeys")
        try FileManager.default.createDirectory(at: scenarios, withIntermediateDirectories: true)
        let scenario = try #require(
            Bundle.module.url(forResource: "passkey", withExtension: "yaml", subdirectory: "Files"))
        try FileManager.default.copyItem(at: scenario, to: scenarios.appending(path: "passkey.yaml"))
        let touchstone = Touchstone(beside: .module, runtimeDirectory: folder)
        var configuration = RelyingPartyConfiguration()
        configuration.port = 0
        configuration.passwordCost = .ofMadeUpAccounts
        let server = try await RelyingPartyServer.start(configuration)
        let shipped = PackageRoot.url.appending(path: "relying-parties/touchstone.yaml")
        try String(contentsOf: shipped, encoding: .utf8).replacing(":8080", with: ":\(server.port)")
            .write(to: folder.appending(path: "rp.yaml"), atomically: true, encoding: .utf8)
        let bin = touchstone.executable.deletingLastPathComponent().path
        for command in commands {
            let output = try await touchstone.run(shell: "cd \(folder.path) && PATH=\(bin):$PATH && \(command)")
            #expect(output.status == 0, "\(command): \(output.standardError) \(output.standardOutput)")
        }
        await server.stop()
        let reports = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(reports.contains { $0.hasSuffix("touchstone.xml") }, "\(reports)")
    }
}
