import Foundation
import TestSupport
import Testing

extension Interop {
    /// The first screen of README.md.
    @Suite struct ReadmeTests {
        @Test func theFailingRunHasTheOutputThatIsShown() async throws {
            let readme = try String(contentsOf: PackageRoot.url.appending(path: "README.md"), encoding: .utf8)
            let shown = try #require(
                readme.firstMatch(
                    of: /\$ cat unlock\.yaml\n(.+?)\n\n\$ touchstone scenario run unlock\.yaml\n(.+?)\n```/
                        .dotMatchesNewlines()))
            let folder = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "unlock.yaml")
            try Data((shown.1 + "\n").utf8).write(to: file)
            let output = try await Touchstone(runtimeDirectory: folder).run(["scenario", "run", file.path])
            #expect(output.status == 1)
            // The last line has the real time of the run.
            let lines = shown.2.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(output.standardOutput.hasPrefix(lines.joined(separator: "\n") + "\nFAILED  2/3 "))
        }
    }
}
