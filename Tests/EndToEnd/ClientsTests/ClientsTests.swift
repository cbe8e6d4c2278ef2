import Foundation
import TestSupport
import Testing

/// The client packages, the page script and the action for GitHub, tested in their own languages.
@Suite(.timeLimit(.minutes(180)))
struct ClientsTests {
    @Test(arguments: [
        ("clients/python/tests", []), ("clients/javascript/tests", []), ("clients/java/tests", []),
        ("scripts/action/tests", []),
        ("browser/tests", Ring.isWhole ? [] : ["--sample=\(Ring.seed)"]),
    ])
    func pytestPasses(folder: String, options: [String]) async throws {
        let program = Touchstone(beside: .module, runtimeDirectory: FileManager.default.temporaryDirectory).executable
        let scripts = Bundle.module.bundleURL.appending(path: "Scripts")
        _ = try await Script.run(
            "run_pytest", in: [scripts],
            [
                "folder": .text(PackageRoot.url.appending(path: folder).path), "program": .text(program.path),
                "options": .texts(options),
            ])
    }
}
