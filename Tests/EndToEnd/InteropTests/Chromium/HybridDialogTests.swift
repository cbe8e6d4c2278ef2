import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone browser --phone`: Chromium's own dialog, its QR code on a screen, and a phone that scans it.
    @Suite(.timeLimit(.minutes(30))) struct HybridDialogTests {
        /// What the page got, and the lines of the program.
        private struct Seen: Decodable {
            let create: String
            let get: String
            let passcode: String
            let declined: String
            let lockedOut: String
            let lockedOutThenPasscode: String
            let otherAdvert: String
            let droppedBefore: String
            let dropped: String
            let revision20: String
            let adapterOff: String
            let adapterLate: String
            let again: String
            let log: String
        }

        @Test(
            "A phone that scans the QR code of Chromium's dialog answers it, fails and recovers as its user and its faults say"
        )
        func thePhoneAnswers() async throws {
            let touchstone = Touchstone(beside: .module, runtimeDirectory: FileManager.default.temporaryDirectory)
            let seen = try await Script.run(
                "hybrid_dialog", in: [Script.directory], ["touchstone": .text(touchstone.executable.path)],
                as: Seen.self)
            #expect(seen.create == "public-key cross-platform hybrid,internal")
            #expect(seen.get == "public-key cross-platform")
            #expect(seen.passcode == "public-key cross-platform")
            #expect(seen.declined == "NotAllowedError")
            #expect(seen.lockedOut == "NotAllowedError")
            #expect(seen.lockedOutThenPasscode == "public-key cross-platform")
            // The page waits: at the code, at "Connecting", without an adapter.
            #expect(
                [seen.otherAdvert, seen.droppedBefore, seen.adapterOff] == ["AbortError", "AbortError", "AbortError"])
            #expect(seen.dropped == "NotAllowedError")
            #expect(seen.revision20 == "public-key cross-platform")
            #expect(seen.adapterLate == "public-key cross-platform")
            #expect(seen.again == "public-key cross-platform")
            #expect(seen.log.contains("iphone-face-id scans a QR code"))
        }

        @Test("A phone beside --device, --mode or --headless is refused with the reason")
        func combinationsAreRefused() async throws {
            let touchstone = Touchstone(beside: .module, runtimeDirectory: FileManager.default.temporaryDirectory)
            let conflicts = [
                ["--device", "iphone-face-id"], ["--mode", "proxy"], ["--headless"], ["--simulated-clock"],
                ["--", "--host-resolver-rules=MAP a.example 127.0.0.1"],
            ]
            for arguments in conflicts {
                let output = try await touchstone.run(
                    ["browser", "http://localhost:1/", "--phone", "iphone-face-id"] + arguments)
                #expect(output.status == 2)
                #expect(output.standardError.contains("--phone"))
                #expect(output.standardError.contains(arguments[0]))
            }
            for profile in ["solo-2", "samsung-fingerprint"] {
                let output = try await touchstone.run("browser", "http://localhost:1/", "--phone", profile)
                #expect(output.status == 2)
                #expect(output.standardError.contains("\(profile) does not scan QR codes"))
            }
        }
    }
}
