import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone faces` and `touchstone errors`.
    @Suite struct PlatformErrorsCommandTests {
        private func run(_ arguments: String...) async throws -> Touchstone.Output {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            return try await Touchstone(runtimeDirectory: directory).run(["faces"] + arguments)
        }

        @Test func errorsIsASecondNameOfFaces() async throws {
            let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            let errors = try await touchstone.run("errors", "lockedOut.timed")
            #expect(errors.status == 0)
            #expect(errors.standardOutput == (try await run("lockedOut.timed")).standardOutput)
        }

        @Test func theListHasEveryOutcomeWithItsMeaning() async throws {
            let output = try await run()
            #expect(output.status == 0)
            #expect(output.standardOutput.contains("keyInvalidated"))
            #expect(output.standardOutput.contains("no template is enrolled"))
        }

        @Test func aRowShowsCodesSourcesAndWhatIsUnverified() async throws {
            let output = try await run("lockedOut.permanent", "--platform", "ios")
            #expect(output.status == 0)
            let lines = output.standardOutput.split(separator: "\n").map(String.init)
            let lockout = try #require(lines.first { $0.hasPrefix("LAError") })
            #expect(lockout.contains("-8") && lockout.contains("biometryLockout") && lockout.contains("la"))
            #expect(lines.contains { $0.hasPrefix("ASAuthorizationError") && $0.hasSuffix("(unverified)") })
            #expect(!output.standardOutput.contains("BiometricPrompt"))
        }

        @Test func jsonHasTheSameContent() async throws {
            struct Row: Decodable {
                struct Cell: Decodable { let layer: String, code: Int?, name: String, unverified: Bool }
                let outcome: String, faces: [Cell], sources: [String: String]
            }
            let output = try await run("lockedOut.timed", "--platform", "android", "--json")
            let row = try JSONDecoder().decode(Row.self, from: Data(output.standardOutput.utf8))
            #expect(row.outcome == "lockedOut.timed")
            let cell = try #require(row.faces.first { $0.layer == "biometric-prompt" })
            #expect(cell.code == 7 && cell.name == "ERROR_LOCKOUT" && !cell.unverified)
            #expect(row.sources["prompt"]?.contains("BiometricConstants") == true)
        }

        @Test func aProfileShowsItsChosenErrors() async throws {
            let output = try await run("noCredentials", "--profile", "iphone-face-id")
            #expect(output.standardOutput.contains("1001"))
            #expect(!output.standardOutput.contains("1005"))
        }

        @Test func aCodeLeadsToItsCauses() async throws {
            let output = try await run("--code", "WKErrorDomain 31")
            #expect(output.status == 0)
            #expect(output.standardOutput.contains("securityKeyTimedOut"))
            let unknown = try await run("--code", "LAError -99")
            #expect(unknown.status == 2)
            #expect(unknown.standardError.contains("no outcome looks like \"LAError -99\""))
        }

        @Test(arguments: [
            ("lockout", "lockedOut.timed"), ("noCredential", "noCredentials"), ("usercanceled", "userCancelled"),
        ])
        func anUnknownOutcomeIsAnsweredWithTheNearest(typed: String, nearest: String) async throws {
            let output = try await run(typed)
            #expect(output.status == 2)
            #expect(output.standardError.contains("there is no outcome \"\(typed)\""))
            #expect(output.standardError.contains(nearest))
        }

        @Test func twoQuestionsAtOnceAreRefused() async throws {
            #expect(try await run("timedOut", "--code", "7").status == 2)
            #expect(try await run("timedOut", "--platform", "ios", "--profile", "iphone-face-id").status == 2)
            #expect(try await run("timedOut", "--platform", "beos").status == 2)
        }
    }
}
