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
            #expect(unknown.standardError.contains("\"LAError -99\" names no error that is known"))
        }

        @Test func aNumberAloneIsListedByInterfaceAndSaysHowToNameOne() async throws {
            let output = try await run("--code", "7")
            let rows = output.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
                .prefix { !$0.isEmpty }
            let interfaces = rows.compactMap { row in
                ["BiometricPrompt", "BiometricManager", "KeyMint"].first { row.contains(" \($0) ") }
            }
            let runs = interfaces.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
            #expect(runs.count == 3 && Set(runs).count == 3, "\(runs)")
            let says = output.standardOutput.replacing("\n", with: " ")
            #expect(says.contains("`touchstone errors --code \"BiometricPrompt 7\"`"))
            let named = try await run("--code", "BiometricPrompt 7")
            #expect(!named.standardOutput.contains("have this number"))
        }

        /// Bytes belong to `touchstone decode`.
        @Test(arguments: [
            "a10102", "06a2010102", "00a301", "ffffffff86000862", "{1: 2, 3: 4}",
            #"{"type":"webauthn.get","challenge":"AAAAAAAAAAAAAAAAAAAAAA","origin":"https://a.b"}"#,
            "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUSZYN5YgOjGh0NBcPZHZgW4krrmihjLHmVzzuoMdl2NFAAAAAA",
        ])
        func bytesLeadToTheCommandForThem(text: String) async throws {
            for arguments in [["--code", text], [text]] {
                let output = try await Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
                    .run(["errors"] + arguments)
                #expect(output.status == 2)
                let says = output.standardError.replacing("\n", with: " ")
                #expect(says.contains("show bytes with `touchstone decode "), "\(says)")
            }
        }

        @Test(arguments: ["", "  "])
        func anEmptyCodeIsAskedFor(code: String) async throws {
            let output = try await run("--code", code)
            #expect(output.status == 2)
            #expect(
                output.standardError.contains("--code is empty; give the code, the name or the sentence of an error"))
        }

        @Test func aLineWithoutAnErrorSaysSo() async throws {
            let output = try await run("--code", "all good")
            #expect(output.status == 2)
            #expect(output.standardError.contains("\"all good\" names no error that is known; give the code"))
        }

        @Test func aCodeWhoseCausesDoNotSayWhatToDoEndsWithTheNextStep() async throws {
            let output = try await run("--code", "AuthorizationError 1000")
            #expect(output.standardOutput.contains("ASAuthorizationError 1000 unknown: Read the device's log"))
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

        @Test(arguments: ["LAError -8", "FIDO_ERR_PIN_INVALID", "Operation timed out"])
        func theTextOfAnErrorLeadsToTheOptionForIt(text: String) async throws {
            let output = try await run(text)
            #expect(output.status == 2)
            let says = output.standardError.replacing("\n", with: " ")
            #expect(says.contains("touchstone errors --code \"\(text)\""), "\(says)")
        }

        private func file(_ content: Data) throws -> String {
            let file = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID().uuidString).txt")
            try content.write(to: file)
            return file.path
        }

        @Test func eachLineOfAFileHasARow() async throws {
            let path = try file(Data("status = -25300\n\nerrSecItemNotFond\nLAErrorTouchIDLockout\n".utf8))
            let output = try await run("--lines", path)
            #expect(output.status == 0)
            let rows = output.standardOutput.split(separator: "\n").map(String.init)
            #expect(rows.contains { $0.hasPrefix("1 ") && $0.contains("-25300") && $0.contains("errSecItemNotFound") })
            let third = rows.first { $0.hasPrefix("3 ") }
            #expect(third?.contains("no error that is known; did you mean errSecItemNotFound") == true)
            #expect(rows.contains { $0.hasPrefix("4 ") && $0.contains("lockedOut.permanent") && $0.contains("-8") })

            struct Line: Decodable {
                struct Outcome: Decodable { let outcome: String }
                let line: Int, text: String, outcomes: [Outcome], near: [String]
            }
            let json = try await run("--lines", path, "--json")
            let lines = try JSONDecoder().decode([Line].self, from: Data(json.standardOutput.utf8))
            #expect(lines.map(\.line) == [1, 3, 4])
            #expect(lines.map { $0.outcomes.isEmpty } == [false, true, false])
            #expect(lines[1].near.first == "errSecItemNotFound")
        }

        @Test func anUnreadableFileIsAnErrorWithItsLine() async throws {
            let missing = try await run("--lines", "/nonexistent/lines.txt")
            #expect(missing.status == 2 && missing.standardError.contains("does not exist"))
            let binary = try await run("--lines", try file(Data([0x41, 0x0A, 0xFF, 0xFE, 0x0A])))
            #expect(binary.status == 2 && binary.standardError.contains(":2: the line is not UTF-8"))
            let empty = try await run("--lines", try file(Data("\n \n".utf8)))
            #expect(empty.status == 2 && empty.standardError.contains("has no lines"))
        }

        @Test func aSentenceLeadsToItsCauseFirst() async throws {
            let output = try await run("--code", "Application with identifier … is not associated with domain …")
            // The next step follows the table after an empty line.
            let rows = output.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).prefix {
                !$0.isEmpty
            }
            #expect(rows.count > 1 && rows.dropFirst().allSatisfy { $0.hasPrefix("domainNotAssociated ") })
            let bound = try await run("--code", "FIDO_ERR_INVALID_CREDENTIAL")
            #expect(bound.standardOutput.contains("0x22") && !bound.standardOutput.contains("Authsignal"))
        }

        @Test func twoQuestionsAtOnceAreRefused() async throws {
            #expect(try await run("timedOut", "--code", "7").status == 2)
            #expect(try await run("--lines", "-", "--code", "7").status == 2)
            #expect(try await run("timedOut", "--platform", "ios", "--profile", "iphone-face-id").status == 2)
            #expect(try await run("timedOut", "--platform", "beos").status == 2)
        }
    }
}
