import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone conformance` on a sound device behind a transport that misbehaves in one way.
    struct MisbehavingTransportTests {
        /// A way to misbehave, and the exit status of the run: 1 where cases fail, 3 where the device is lost.
        static let ways: [(way: String, status: Int32)] = [
            ("silent", 3), ("closing", 3), ("garbage", 3), ("resetting", 1), ("slow", 0), ("refusing-init", 1),
            ("late", 3), ("duplicates", 1), ("wrong-channel", 3), ("endless-keepalives", 3), ("overlong-lengths", 3),
            ("never-releasing", 3),
        ]

        private struct Run: Decodable {
            let status: Int32
            let output: String
            let errors: String
        }

        private struct Report: Decodable {
            struct Result: Decodable { let verdict: String }
            let results: [Result]
        }

        @Test("A run through a transport that misbehaves ends with its reports", arguments: Ring.sample(ways, 2))
        func endsWithReports(way: String, status: Int32) async throws {
            let folder = try TemporaryFolder()
            let files = ["report.json", "junit.xml", "page.html"].map(folder.path)
            let options = [
                "--unattended", "--always-touched", "--timeout", "2s", "--case", "hid.ping", "--case", "general",
                "--case", "makeCredential.plain", "--report", files[0], "--junit", files[1], "--html", files[2],
            ]
            try await ServedDevice.with("security-key-complete") { served in
                let run = try await Script.run(
                    "misbehaving_transport", port: served.port,
                    [
                        "way": .text(way), "options": .texts(options),
                        "touchstone": .text(Touchstone(runtimeDirectory: folder.url).executable.path),
                    ], as: Run.self)
                #expect(run.status == status, "\(run.output)\n\(run.errors)")
                for file in files { #expect(FileManager.default.fileExists(atPath: file), "\(file)") }
                let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: files[0])))
                #expect(report.results.count { $0.verdict == "passed" } > 2)
                // The user reads the reason on the terminal, too.
                if status == 3 { #expect(run.errors.contains("the run ended after the case"), "\(run.errors)") }
                if status == 1 { #expect(run.output.contains("FAILED"), "\(run.output)") }
            }
        }
    }
}
