import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone browser --phone`: Chromium's own dialog, its QR code on a screen, and a phone that scans it.
    @Suite(.timeLimit(.minutes(30))) struct HybridDialogTests {
        /// The results of the page, for every phone.
        private struct Ceremonies: Decodable {
            let create: String
            let get: String
            /// The bytes of prf's first result at each.
            let prf: [String]
            let log: String
        }

        /// The results of the page with an iPhone.
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

        /// The results of the page with a phone of another process.
        private struct Running: Decodable {
            let nothing: String
            let create: String
            let get: String
            let log: String
        }

        private func seen<Seen: Decodable>(
            with profile: String, isRunning: Bool = false, as type: Seen.Type
        ) async throws -> Seen {
            let touchstone = Touchstone(beside: .module, runtimeDirectory: FileManager.default.temporaryDirectory)
            return try await Script.run(
                "hybrid_dialog", in: [Script.directory, PackageRoot.url.appending(path: "browser/tests")],
                [
                    "touchstone": .text(touchstone.executable.path), "profile": .text(profile),
                    "running": .bool(isRunning),
                ], as: type)
        }

        @Test("A phone that runs in another process scans the browser's screen, and answers it")
        func runningPhone() async throws {
            let seen = try await seen(with: "iphone-face-id", isRunning: true, as: Running.self)
            #expect(seen.nothing.contains("the screen shows no QR code"))
            #expect(seen.create == "public-key cross-platform hybrid,internal", "\(seen.log)")
            #expect(seen.get == "public-key cross-platform")
        }

        @Test("An Android phone evaluates prf over hybrid, at the registration too")
        func prf() async throws {
            let seen = try await seen(with: "pixel-fingerprint", as: Ceremonies.self)
            #expect(seen.create == "public-key cross-platform hybrid,internal", "\(seen.log)")
            #expect(seen.get == "public-key cross-platform")
            #expect(seen.prf.map { $0.split(separator: ",").count } == [32, 32])
            #expect(Set(seen.prf).count == 1)
        }

        @Test(
            "A phone that scans the QR code of Chromium's dialog answers it, fails and recovers as its user and its faults say"
        )
        func thePhoneAnswers() async throws {
            let seen = try await seen(with: "iphone-face-id", as: Seen.self)
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
