import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone browser`: a page, the device panel, and the extension between them.
    @Suite(.timeLimit(.minutes(30))) struct BrowserCommandTests {
        /// The time from the start of the program to a page that has a device.
        private struct Summary: Decodable { let milliseconds: Int }

        @Test(
            "A page registers and is refused, as the user of the panel acts; the extension's token permits only that",
            arguments: ["page-script", "proxy"])
        func aPageHasADevice(mode: String) async throws {
            let touchstone = Touchstone(beside: .module, runtimeDirectory: FileManager.default.temporaryDirectory)
            let summary = try await Script.run(
                "browser_command", in: [Script.directory],
                ["touchstone": .text(touchstone.executable.path), "mode": .text(mode)], as: Summary.self)
            #expect(summary.milliseconds > 0)
        }

        @Test("Without a URL the command serves a page, on which an account gets a passkey of the device")
        func itsOwnPageCreatesAPasskey() async throws {
            let touchstone = Touchstone(beside: .module, runtimeDirectory: FileManager.default.temporaryDirectory)
            _ = try await Script.run(
                "browser_own_page", in: [Script.directory], ["touchstone": .text(touchstone.executable.path)])
        }

        @Test("Windows without a display are refused with the ways to go on")
        func aMissingDisplayIsNamed() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let touchstone = Touchstone(beside: .module, runtimeDirectory: folder)
            // Any program: it is not started.
            for (arguments, otherwise) in [
                (["browser", "http://localhost:1/", "--browser", "/bin/sh"], "with --headless"),
                (["devtools", "--port", "0", "--windows", "--browser", "/bin/sh"], "without --windows"),
            ] {
                let output = try await touchstone.run(
                    arguments, environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
                #expect(output.status == 3)
                #expect(output.standardError.contains("no display"))
                #expect(output.standardError.contains(otherwise))
            }
        }

        @Test("A missing browser and a wrong URL are explained")
        func problemsAreExplained() async throws {
            let touchstone = Touchstone(beside: .module, runtimeDirectory: FileManager.default.temporaryDirectory)
            let missing = try await touchstone.run(
                "browser", "http://localhost:1/", "--browser", "/nowhere/chromium",
                environment: ["TOUCHSTONE_RUNTIME": FileManager.default.temporaryDirectory.path + "/touchstone-browser"]
            )
            #expect(missing.status == 3)
            #expect(missing.standardError.contains("/nowhere/chromium cannot be started"))
            for url in ["localhost:3000", "file:///etc/passwd", "https://"] {
                let wrong = try await touchstone.run("browser", url)
                #expect(wrong.status == 2)
                #expect(wrong.standardError.contains("is not the URL of a page"))
            }
        }
    }
}
