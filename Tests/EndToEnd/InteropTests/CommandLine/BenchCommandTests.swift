import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Interop {
    /// `touchstone bench`: that it measures, judges and compares, whatever the figures are.
    @Suite struct BenchCommandTests {
        private struct Report: Codable {
            struct Interval: Codable {
                var lower: Double
                let upper: Double
            }
            struct Spread: Codable {
                let median: Double
                let ninetieth: Double
            }
            struct Row: Codable {
                let name: String
                let baseline: String
                var value: Double
                let interval: Interval
                let limit: Double?
                let unit: String
                let isWithinLimit: Bool
                let spread: Spread
                let baselineSpread: Spread
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

        private func run(_ topic: String, _ arguments: String...) async throws -> Touchstone.Output {
            try await Touchstone(runtimeDirectory: directory).run(["bench", topic, "--rounds", "50"] + arguments)
        }

        private func report(_ output: Touchstone.Output) throws -> Report {
            try JSONDecoder().decode(Report.self, from: Data(output.standardOutput.utf8))
        }

        @Test("The exit status says whether a whole interval is beyond its limit", arguments: ["assertion", "trace"])
        func status(_ topic: String) async throws {
            let output = try await run(topic, "--json")
            let rows = try report(output).rows
            #expect(rows.count == 2)
            for row in rows {
                #expect(row.unit == "µs")
                #expect(row.spread.median > 0 && row.baselineSpread.median > 0)
                #expect(row.interval.lower <= row.value && row.value <= row.interval.upper)
                #expect(try row.isWithinLimit == (row.interval.lower <= #require(row.limit)))
            }
            let beyond = rows.count { !$0.isWithinLimit }
            #expect(output.status == (beyond == 0 ? 0 : 1))
            #expect(output.standardError.contains("beyond the limit") == (beyond > 0))
        }

        @Test("A row that is much worse than in the earlier run is named")
        func comparison() async throws {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = directory.appending(path: "earlier.json")
            var report = try report(try await run("assertion", "--json"))
            report.rows = report.rows.map { row in
                var row = row
                row.value /= 1000
                return row
            }
            try JSONEncoder().encode(report).write(to: file)
            let output = try await run("assertion", "--compare", file.path)
            #expect(output.status == 1)
            #expect(output.standardError.contains("2 rows worse than in the earlier run"))
        }

        @Test("The bare server says where it listens, answers a request with its body, and ends when it is told to")
        func bareServer() async throws {
            let server = try Touchstone(runtimeDirectory: directory).start(["bench", "--bare-server"])
            defer { server.terminate() }
            let line = try #require(await server.errors.first { _ in true })
            var request = URLRequest(url: try #require(URL(string: line.replacing("listening on ", with: ""))))
            request.httpMethod = "POST"
            request.httpBody = Data((0..<512).map { UInt8(truncatingIfNeeded: $0) })
            let (answer, response) = try await URLSession.shared.answer(to: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(answer == request.httpBody)
            server.terminate()
            #expect(await server.exitStatus() == 0)
        }

        @Test("Too few rounds for an interval are refused, and a file that is not an earlier run is")
        func unusable() async throws {
            let output = try await run("assertion", "--compare", "/dev/null")
            #expect(output.status == 2)
            #expect(output.standardError.contains("/dev/null is not the output of `touchstone bench --json`"))
            let few = try await run("assertion", "--rounds", "5")
            #expect(few.status == 2)
            #expect(few.standardError.contains("--rounds must be 6 to 100000000"))
        }
    }
}
