import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone errors` and its other name, `touchstone faces`.
    @Suite struct PlatformErrorsCommandTests {
        private func run(_ arguments: String...) async throws -> Touchstone.Output {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            return try await Touchstone(runtimeDirectory: directory).run(["errors"] + arguments)
        }

        @Test func facesIsASecondNameOfErrors() async throws {
            let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            let faces = try await touchstone.run("faces", "lockedOut.timed")
            #expect(faces.status == 0)
            #expect(faces.standardOutput == (try await run("lockedOut.timed")).standardOutput)
        }

        @Test func theListHasEveryCauseWithItsMeaning() async throws {
            let output = try await run()
            #expect(output.status == 0)
            #expect(output.standardOutput.contains("keyInvalidated"))
            #expect(output.standardOutput.contains("no template is enrolled"))
        }

        @Test func theListOfAPlatformHasOnlyItsCauses() async throws {
            let android = try await run("--platform", "android").standardOutput.split(separator: "\n")
            let profile = try await run("--profile", "pixel-fingerprint").standardOutput.split(separator: "\n")
            let all = try await run().standardOutput.split(separator: "\n")
            #expect(!android.isEmpty && android.count < all.count && profile.count <= android.count)
            #expect(Set(android).isSubset(of: all))
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
            let number = try await run("--code", "-8", "--platform", "ios")
            #expect(number.status == 0)
            #expect(number.standardOutput.contains("lockedOut.permanent"))
            let unknown = try await run("--code", "LAError -99")
            #expect(unknown.status == 2)
            #expect(unknown.standardError.contains("no cause matches \"LAError -99\""))
        }

        @Test(arguments: [
            ("lockout", "lockedOut.timed"), ("noCredential", "noCredentials"), ("usercanceled", "userCancelled"),
        ])
        func anUnknownCauseIsAnsweredWithTheNearest(typed: String, nearest: String) async throws {
            let output = try await run(typed)
            #expect(output.status == 2)
            #expect(output.standardError.contains("there is no cause \"\(typed)\""))
            #expect(output.standardError.contains(nearest))
        }

        @Test func twoQuestionsAtOnceAreRefused() async throws {
            #expect(try await run("timedOut", "--code", "7").status == 2)
            #expect(try await run("timedOut", "--platform", "ios", "--profile", "iphone-face-id").status == 2)
            #expect(try await run("timedOut", "--platform", "beos").status == 2)
        }
    }
}
