import CTAP
import CTAPHID
import DeviceHost
import Foundation
import SimulatedDevice
import TestSupport
import Testing
import Trace
import Transports

extension Interop {
    /// Traces of a third-party client.
    @Suite struct TraceTests {
        /// Runs with a temporary folder, and removes it.
        private func withDirectory(_ use: (URL) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            try await use(folder.url)
        }

        @Test func aTraceOfPythonFIDO2ShowsItsScript() async throws {
            try await withDirectory { directory in
                let path = directory.appending(path: "trace.jsonl").path
                let file = try TraceFile(creating: path)
                var udp = UDPEndpoint.Configuration()
                udp.port = 0
                let host = try await DeviceHost.start(
                    try Profiles.named("security-key-pin"), name: "key", habit: .auto,
                    connections: DeviceConnections(udp: udp),
                    trace: TraceRecorder(onRecord: file.write), directory: DeviceSocketDirectory(path: directory.path))
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await host.run() }
                    await #expect(throws: Never.self) {
                        _ = try await Script.run("pin", port: #require(host.port), ["protocol": .number(2)])
                    }
                    group.cancelAll()
                }
                let trace = try TraceReader.read(path)
                #expect(trace.warnings.isEmpty)
                var labels: [String] = []
                var commands: Set<String> = []
                for record in trace.records {
                    switch record.content {
                    case .request(let request):
                        // python-fido2's messages are canonical, and the tables know all of their members.
                        #expect(request.message.problem == nil)
                        #expect(request.message.fields.allSatisfy { $0.name != nil })
                        commands.insert(
                            [request.command, request.subcommand].compactMap(\.self).joined(separator: " "))
                    case .response(let response):
                        #expect((response.status == .ok) == (response.reason == nil))
                        if let reason = response.reason { labels.append(reason) }
                    default: break
                    }
                }
                #expect(
                    commands == [
                        "GetInfo", "ClientPIN getKeyAgreement", "ClientPIN setPIN", "ClientPIN changePIN",
                        "ClientPIN getPINRetries", "ClientPIN getPinUvAuthTokenUsingPinWithPermissions",
                    ])
                // The texts of the device's log, in the same order.
                let logged = host.device.log.all.compactMap { EventDescription($0).reason }
                #expect(labels == logged)
                #expect(labels.count > 10)
                #expect(trace.records.contains { $0.content == .powerCycle })
                let text = Conversation(showsSecrets: true).text(trace.records)
                #expect(text.contains("newPinEnc: <80 secret bytes>"))
                #expect(text.contains("PIN does not match, 0 retries left"))
            }
        }

        @Test func theProgramTracesADeviceAndShowsTheTrace() async throws {
            try await withDirectory { directory in
                let path = directory.appending(path: "trace.jsonl").path
                let touchstone = Touchstone(runtimeDirectory: directory)
                let device = try touchstone.start(
                    ["device", "start", "security-key-pin", "--udp", "0", "--name", "key", "--trace", path])
                defer { device.terminate() }
                var port: Int?
                for await line in device.errors {
                    port = line.firstMatch(of: /listening on udp:127\.0\.0\.1:(\d+) as key/).flatMap {
                        Int($0.output.1)
                    }
                    break
                }
                _ = try await Script.run("mistakes", port: try #require(port))
                device.terminate()
                #expect(await device.exitStatus() == 0)

                let shown = try await touchstone.run("trace", "show", path)
                #expect(shown.status == 0, "\(shown.standardError)")
                #expect(shown.standardOutput.contains("client → key"))
                #expect(shown.standardOutput.contains("because clientPIN."))
                #expect(!shown.standardOutput.contains("\u{1B}"))
                let lines = try await touchstone.run("trace", "show", path, "--json", "--only-refused")
                let refused = try TraceReader.parse(Array(lines.standardOutput.utf8), file: "output").records
                #expect(refused.count { $0.isRefusal } == 3)
                for form in ["json", "text", "markdown"] {
                    let converted = try await touchstone.run("trace", "convert", path, "--to", form)
                    #expect(converted.status == 0)
                    #expect(converted.standardOutput.contains("PIN_AUTH_BLOCKED") || form == "markdown")
                }

                let missing = try await touchstone.run("trace", "show", directory.appending(path: "no").path)
                #expect(missing.status == 3)
                let stranger = try await touchstone.run("trace", "show", path, "--device", "phone")
                #expect(stranger.status == 2)
                #expect(stranger.standardError.contains("choose one of key"))
                let broken = directory.appending(path: "broken.jsonl")
                try Data("{\"schema\":1}\n".utf8).write(to: broken)
                let refusedFile = try await touchstone.run("trace", "show", broken.path)
                #expect(refusedFile.status == 2)
                #expect(refusedFile.standardError.hasSuffix("broken.jsonl:1: `kind` is missing"))
                let lonely = try await touchstone.run("demo", "--trace-secrets")
                #expect(lonely.status == 2)
            }
        }
    }
}
