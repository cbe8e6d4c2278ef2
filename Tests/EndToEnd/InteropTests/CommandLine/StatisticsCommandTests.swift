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
    }
}
