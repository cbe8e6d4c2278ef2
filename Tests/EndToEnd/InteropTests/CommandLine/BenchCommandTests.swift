import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone bench`: that it measures and compares, whatever the figures are.
    @Suite struct BenchCommandTests {
        private struct Report: Codable {
            struct Row: Codable {
                let name: String
                let baseline: String?
                var value: Double
                let unit: String
                let isWithinLimit: Bool
            }
            struct Machine: Codable {
                let cores: Int
                let system: String
            }
            let machine: Machine
            var rows: [Row]
        }

        private let directory = FileManager.default.temporaryDirectory.appending(
            path: "touchstone-\(UUID().uuidString)")

        private func run(_ arguments: String...) async throws -> Touchstone.Output {
            try await Touchstone(runtimeDirectory: directory)
                .run(["bench", "assertion", "--rounds", "200"] + arguments)
        }

        @Test("The exit status says whether a row is beyond its limit")
        func status() async throws {
            let output = try await run("--json")
            let report = try JSONDecoder().decode(Report.self, from: Data(output.standardOutput.utf8))
            #expect(report.rows.map(\.unit) == ["x", "x"])
            #expect(report.rows.allSatisfy { $0.value > 1 })
            #expect(output.status == (report.rows.allSatisfy(\.isWithinLimit) ? 0 : 1))
        }

        @Test("A row that is much worse than in the earlier run is named")
        func comparison() async throws {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = directory.appending(path: "earlier.json")
            var report = try JSONDecoder().decode(Report.self, from: Data(try await run("--json").standardOutput.utf8))
            report.rows = report.rows.map { row in
                var row = row
                row.value /= 1000
                return row
            }
            try JSONEncoder().encode(report).write(to: file)
            let output = try await run("--compare", file.path)
            #expect(output.status == 1)
            #expect(output.standardError.contains("2 rows worse than in the earlier run"))
        }

        @Test("A file that is not an earlier run is refused before anything is measured")
        func unusable() async throws {
            let output = try await run("--compare", "/dev/null")
            #expect(output.status == 2)
            #expect(output.standardError.contains("/dev/null is not the output of `touchstone bench --json`"))
        }
    }
}
