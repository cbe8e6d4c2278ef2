import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone conformance` on a device that a command touches.
    struct ConformanceTouchTests {
        @Test func aCommandActsForTheUserAndEndsTheRunWhereItFails() async throws {
            let folder = try TemporaryFolder()
            let touchstone = Touchstone(runtimeDirectory: folder.url)
            let device = try touchstone.start(
                ["device", "start", "security-key-complete", "--udp", "0", "--name", "key", "--person", "ask"])
            defer { device.terminate() }
            for await line in device.errors {
                guard let match = line.firstMatch(of: /listening on (udp:127\.0\.0\.1:\d+) as key/) else { continue }
                let touch = "'\(touchstone.executable.path)' device present touch --name key > /dev/null 2>&1"
                func run(
                    _ touch: String, of cases: [String] = ["makeCredential.plain", "cancel.makeCredential.status"],
                    _ options: [String] = []
                ) async throws -> Touchstone.Output {
                    try await touchstone.run(
                        [
                            "conformance", "authenticator", "--device", String(match.output.1), "--unattended",
                            "--verbose", "--touch", touch,
                        ] + cases.flatMap { ["--case", $0] } + options)
                }
                let touched = try await run(touch)
                #expect(touched.status == 0, "\(touched.standardOutput)")
                for id in ["makeCredential.plain", "cancel.makeCredential.status"] {
                    #expect(touched.standardOutput.contains("passed \(id)"), "\(touched.standardOutput)")
                }
                let left = folder.url.appending(path: "left")
                let leaving = try await run("\(touch); sleep 900 > /dev/null 2>&1 & echo $! >> '\(left.path)'; :")
                let ids = try String(contentsOf: left, encoding: .utf8).split(separator: "\n").compactMap { Int32($0) }
                for id in ids { #expect(kill(id, SIGTERM) == 0, "the process that the command leaves runs on") }
                #expect(!ids.isEmpty)
                #expect(leaving.status == 0, "\(leaving.standardOutput)")
                let broken = try await run("\(touch); exit 7")
                #expect(broken.status == 3)
                #expect(broken.standardError.contains("the command of --touch ended with status 7"))
                let unplugged = try await run(touch, of: ["state.firstCommand"], ["--replug", "exit 5"])
                #expect(unplugged.status == 3, "\(unplugged.standardOutput)")
                #expect(unplugged.standardError.contains("the command of --replug ended with status 5"))
                break
            }
        }
    }
}
