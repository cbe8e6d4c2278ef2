import Foundation
import TestSupport
import Testing

extension Interop {
    /// The program's environment variables.
    @Suite struct EnvironmentTests {
        private func run(_ environment: [String: String]) async throws -> Touchstone.Output {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            return try await Touchstone(runtimeDirectory: directory).run(
                ["profiles", "list"], environment: environment)
        }

        @Test func anUnknownVariableIsAnErrorWithTheNearestName() async throws {
            let output = try await run(["TOUCHSTONE_PROFILE": "/tmp"])
            #expect(output.status == 2)
            #expect(
                output.standardError.contains(
                    "TOUCHSTONE_PROFILE is not a variable of touchstone; did you mean TOUCHSTONE_PROFILES?"))
        }

        @Test func aFolderThatIsNoneIsAnError() async throws {
            let output = try await run(["TOUCHSTONE_PROFILES": "/nonexistent"])
            #expect(output.status == 2)
            #expect(output.standardError.contains("$TOUCHSTONE_PROFILES does not name a directory"))
        }

        @Test func otherProgramsVariablesAreLeftAlone() async throws {
            #expect(try await run(["TOUCHSTONEBENCH": "1"]).status == 0)
        }
    }
}
