import Foundation
import TestSupport
import Testing

extension Interop {
    /// Standard output that cannot be written.
    struct OutputTests {
        private let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
        private let directory = FileManager.default.temporaryDirectory.appending(
            path: "touchstone-\(UUID().uuidString)")

        /// Runs a scenario that fails, with an option and a redirection of the shell.
        private func runFailing(_ redirection: String, _ options: String = "") throws -> Int32 {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let scenario = """
                name: fails
                devices: { key: security-key-pin }
                steps:
                  - create-account: ada
                  - register: { expect: { http: 200 } }

                """
            let file = directory.appending(path: "fails.yaml")
            try Data(scenario.utf8).write(to: file)
            let process = Process()
            process.executableURL = URL(filePath: "/bin/bash")
            process.currentDirectoryURL = PackageRoot.url
            let command = "'\(touchstone.executable.path)' scenario run '\(file.path)' \(options) \(redirection)"
            process.arguments = ["-o", "pipefail", "-c", command]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }

        @Test func aFailedScenarioKeepsItsStatusAndReportWithoutAReader() throws {
            defer { try? FileManager.default.removeItem(at: directory) }
            let report = directory.appending(path: "report.xml")
            #expect(try runFailing("| true", "--verbose --junit '\(report.path)'") == 1)
            #expect(try String(contentsOf: report, encoding: .utf8).contains("<failure"))
        }

        @Test func unwritableOutputIsAUsageError() throws {
            defer { try? FileManager.default.removeItem(at: directory) }
            #expect(try runFailing(">/dev/full") == 2)
            #expect(try runFailing("", "--junit /nowhere/report.xml") == 2)
        }
    }
}
