import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone conformance` on devices that go away, and with a wrong PIN.
    struct ConformanceLossTests {
        private struct Report: Decodable {
            struct Result: Decodable {
                let verdict: String
                let reason: String?
            }

            let results: [Result]
        }

        private func report(_ path: String) throws -> Report {
            try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: path)))
        }

        private func start(_ touchstone: Touchstone, port: Int) async throws -> (Touchstone.Program, port: Int) {
            let device = try touchstone.start(
                ["device", "start", "security-key-complete", "--udp", "\(port)", "--name", "key"])
            for await line in device.errors {
                guard let match = line.firstMatch(of: /listening on udp:127\.0\.0\.1:(\d+) as key/) else { continue }
                return (device, try #require(Int(match.output.1)))
            }
            throw CancellationError()
        }

        @Test func aRunWhoseDeviceIsLostWritesItsReportsAndGoesOnLater() async throws {
            let folder = try TemporaryFolder()
            let touchstone = Touchstone(runtimeDirectory: folder.url)
            let (first, port) = try await start(touchstone, port: 0)
            let arguments = [
                "conformance", "authenticator", "--device", "udp:127.0.0.1:\(port)", "--unattended", "--resume",
                folder.path("progress.jsonl"), "--report", folder.path("report.json"), "--junit",
                folder.path("junit.xml"), "--html", folder.path("page.html"),
            ]
            let run = try touchstone.start(arguments + ["--verbose"])
            async let errors = run.errors.reduce(into: []) { $0.append($1) }
            var lines = 0
            for await _ in run.output {
                lines += 1
                // A device that ends in order may answer once more.
                if lines == 20 { kill(first.processID, SIGKILL) }
            }
            #expect(await run.exitStatus() == 3)
            let message = await errors.joined(separator: "\n")
            #expect(message.contains("the run ended after the case"))
            #expect(message.contains("The same command goes on"))
            let cut = try report(folder.path("report.json"))
            #expect(cut.results.allSatisfy { $0.verdict != "failed" && $0.verdict != "warning" })
            #expect(cut.results.contains { $0.reason?.contains("has been in this state since the case") == true })
            for file in ["junit.xml", "page.html"] {
                #expect(FileManager.default.fileExists(atPath: folder.path(file)))
            }
            _ = await first.exitStatus()

            let (second, _) = try await start(touchstone, port: port)
            defer { second.terminate() }
            let rest = try await touchstone.run(arguments)
            #expect(rest.status == 0, "\(rest.standardError)")
            #expect(try report(folder.path("report.json")).results.count == cut.results.count)
        }

        @Test func aWrongPINSpendsOneTryAndNoCase() async throws {
            let folder = try TemporaryFolder()
            let touchstone = Touchstone(runtimeDirectory: folder.url)
            let (device, port) = try await start(touchstone, port: 0)
            defer { device.terminate() }
            func run(_ pin: String, _ arguments: [String]) async throws -> Touchstone.Output {
                try await touchstone.run(
                    arguments + ["--device", "udp:127.0.0.1:\(port)"],
                    environment: ["TOUCHSTONE_PIN": pin, "TOUCHSTONE_NEW_PIN": pin])
            }
            #expect(try await run("135792", ["keys", "pin", "set", "--yes"]).status == 0)
            let suite = ["conformance", "authenticator", "--unattended", "--case"]
            let wrong = try await run("2468024", suite + ["makeCredential"])
            #expect(wrong.status == 2)
            #expect(wrong.standardError == "touchstone: the PIN is wrong; 7 tries left")
            let right = try await run("135792", suite + ["makeCredential.user"])
            #expect(right.status == 0, "\(right.standardOutput)")
            #expect(right.standardOutput.contains("passed"))
        }
    }
}
