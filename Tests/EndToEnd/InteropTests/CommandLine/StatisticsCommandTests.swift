import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone statistics` with extreme rates.
    @Suite struct StatisticsCommandTests {
        private func run(_ arguments: String...) async throws -> Touchstone.Output {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            return try await Touchstone(runtimeDirectory: directory).run(["statistics"] + arguments)
        }

        @Test("A lockout rarer than once in the largest integer is shown")
        func tiny() async throws {
            let output = try await run("pixel-fingerprint", "--attempts", "1000")
            #expect(output.status == 0)
            #expect(output.standardOutput.contains("1:2.87e+30"))
        }

        @Test func theGivenRatesHaveTheNamesOfTheMeasuredOnes() async throws {
            let output = try await run("pixel-fingerprint", "--frr", "3%", "--fta", "2%", "--attempts", "1000")
            #expect(
                output.standardOutput.contains(
                    "Given: FRR by attempt 3 %, failure to acquire 2 %, FAR by attempt 1:50000"))
            let bad = try await run("pixel-fingerprint", "--frr", "3 %", "--bad-days", "5%", "--attempts", "1000")
            #expect(bad.standardOutput.contains("FRR by attempt 3 %"))
            #expect(bad.standardOutput.contains("on 5 % of all prompts, on bad days, FRR by attempt 50 %"))
        }

        @Test func thePeopleADayAreCounted() async throws {
            let output = try await run(
                "pixel-fingerprint", "--bad-days", "5%", "--users", "10000", "--prompts-per-day", "3", "--attempts",
                "20000")
            #expect(output.status == 0, "\(output.standardError)")
            #expect(output.standardOutput.contains("10000 users with 3 prompts a day each, from 6666 simulated days"))
            for name in ["a prompt that does not verify", "a timed lockout", "a permanent lockout"] {
                #expect(output.standardOutput.contains(name))
            }
            let json = try await run(
                "pixel-fingerprint", "--users", "10000", "--attempts", "1000", "--json")
            #expect(json.standardOutput.contains("\"promptsPerDay\" : 3"))
            #expect(json.standardOutput.contains("\"genuine\""))
            #expect(try await run("pixel-fingerprint", "--prompts-per-day", "3").status == 2)
        }

        @Test("A sensor without errors has a report as JSON")
        func extremes() async throws {
            let output = try await run(
                "virtual-hal-fingerprint", "--far", "0", "--frr", "0", "--fta", "5%", "--attempts", "1000", "--json")
            #expect(output.status == 0)
            #expect(!output.standardOutput.contains("\"isForecastInside\" : false"))
        }

        @Test("--patience is required if failures never end the profile's prompts")
        func endless() async throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = directory.appending(path: "never-locks.yaml")
            let profile = """
                name: never-locks
                extends: virtual-hal-fingerprint
                title: A sensor that never closes
                sensor: { lockout: { permanent-at: never } }
                """
            try Data(profile.utf8).write(to: file)
            let refused = try await run(file.path, "--far", "0", "--attempts", "100")
            #expect(refused.status == 2)
            #expect(refused.standardError.contains("never-locks: no number of failures ends a prompt"))
            let measured = try await run(file.path, "--far", "0", "--attempts", "100", "--patience", "3")
            #expect(measured.status == 0)
        }

        @Test func badDaysThatNeverComeAreTheDefault() async throws {
            let plain = try await run("pixel-fingerprint", "--attempts", "1000")
            let zero = try await run("pixel-fingerprint", "--attempts", "1000", "--bad-days", "0")
            #expect(zero.status == 0 && zero.standardOutput == plain.standardOutput, "\(zero.standardError)")
        }

        @Test(arguments: [
            (["--bad-days", "0", "--bad-day-frr", "50%"], "needs --bad-days above 0"),
            (["--bad-days", "5"], "expected a rate from 0 to 1, written 1:50000, 3% or 0.03"),
            (["--far", "often"], "expected a rate from 0 to 1, written 1:50000, 3% or 0.03"),
            (["--patience", "50"], "--patience 50 has no effect: a prompt of iphone-face-id ends after "),
        ])
        func anOptionWithoutEffectOrOfAnotherFormIsRefused(options: [String], words: String) async throws {
            let output = try await Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory).run(
                ["statistics", "iphone-face-id"] + options)
            #expect(output.status == 2)
            #expect(output.standardError.replacing("\n", with: " ").contains(words), "\(output.standardError)")
        }
    }
}
