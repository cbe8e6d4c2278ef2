import Foundation
import TestSupport
import Testing

extension Interop {
    /// The texts that the device panel copies: a scenario, a test with the Python client, a test with Selenium.
    @Suite(.timeLimit(.minutes(30))) struct PanelCopyTests {
        @Test("What just happened, copied from the panel as a scenario, for pytest or for Selenium, runs and passes")
        func copiedTextsPass() async throws {
            let touchstone = Touchstone(beside: .module, runtimeDirectory: FileManager.default.temporaryDirectory)
            _ = try await Script.run(
                "panel_copies", in: [Script.directory],
                [
                    "touchstone": .text(touchstone.executable.path),
                    "client": .text(PackageRoot.url.appending(path: "clients/python/src").path),
                ])
        }
    }
}
