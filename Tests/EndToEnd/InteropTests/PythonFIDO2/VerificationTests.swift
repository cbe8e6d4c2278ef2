import Biometrics
import CTAPHID
import DeviceHost
import DeviceProfiles
import Foundation
import SimulatedDevice
import TestSupport
import Testing
import Transports
import VirtualAuthenticator

extension Interop {
    /// python-fido2 over UDP: PINs, tokens, fingers, and the reset that erases them.
    @Suite struct PythonVerificationTests {
        @Test(arguments: [1, 2])
        func wrongPINsAreCounted(pinUvAuthProtocol: Int) async throws {
            struct Summary: Decodable { let retries: Int }
            try await ServedDevice.with("security-key-pin") { served in
                let summary = try await Script.run(
                    "pin", port: served.port, ["protocol": .number(pinUvAuthProtocol)], as: Summary.self)
                #expect(summary.retries == 0)
                let snapshot = await served.device.authenticator.snapshot()
                #expect(snapshot.isPINSet)
                #expect(snapshot.pinRetries == 0)
            }
        }

        @Test(arguments: [1, 2], ["pin", "finger"])
        func aTokenIsLimitedToItsPermissions(pinUvAuthProtocol: Int, method: String) async throws {
            try await ServedDevice.with("security-key-bio") { served in
                _ = try await Script.run(
                    "permissions", port: served.port,
                    ["protocol": .number(pinUvAuthProtocol), "method": .text(method)])
            }
        }

        @Test(arguments: ["security-key-pin", "security-key-bio"])
        func aResetErasesEverythingButOnlySoonAfterPowerUp(profile: String) async throws {
            struct Settled: Decodable { let credentials: [String] }
            struct After: Decodable { let remaining: Int, uv: Bool? }
            try await ServedDevice.with(profile) { served in
                let configuration = served.device.profile.authenticator
                let settled = try await Script.run(
                    "reset", port: served.port, ["act": "settle in"], as: Settled.self)
                #expect(settled.credentials.count == 2)

                served.clock.advance(by: configuration.resetWindow + .milliseconds(1))
                let refused = try await Script.run("reset", port: served.port, ["act": "too late"], as: After.self)
                #expect(refused.remaining == configuration.discoverableCapacity - 1)

                let after = try await Script.run(
                    "reset", port: served.port, ["act": "in time", "credentials": .texts(settled.credentials)],
                    as: After.self)
                #expect(after.remaining == configuration.discoverableCapacity)
                // A reset removes the fingers: the key supports uv, but has no template.
                #expect(after.uv == (served.device.profile.sensor == nil ? nil : false))
            }
        }

        @Test func aRefusalAndATimeoutAreReported() async throws {
            try await ServedDevice.with("security-key-pin") { served in
                for act in [.gate(.cancelByUser), .gate(.noAnswer), .touch] as [UserAct] {
                    await served.person.tell(act)
                }
                _ = try await Script.run("answers", port: served.port)
                #expect(await served.person.plannedActs.isEmpty)
            }
        }

        @Test func aBlockedSensorRequiresThePIN() async throws {
            struct Summary: Decodable { let retries: [Int] }
            // The whole host with its control socket: the test sends the acts as another terminal would.
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: directory) }
            let control = DeviceSocketDirectory(path: directory.path)
            var udp = UDPEndpoint.Configuration()
            udp.port = 0
            let host = try await DeviceHost.start(
                try Profiles.named("security-key-bio"), name: "key", habit: .auto,
                connections: DeviceConnections(udp: udp), directory: control)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await host.run() }
                defer { group.cancelAll() }
                let terminal = DeviceSocketClient(directory: control)
                let acts = [UserAct](repeating: .gate(.nonMatch), count: 3)
                _ = try await terminal.send(.present(acts), to: "key")
                let summary = try await Script.run("fingerprint", port: #require(host.port), as: Summary.self)
                #expect(summary.retries == [3, 2, 1, 0, 3])
                let status = try await terminal.send(.status, to: nil).status
                #expect(status.planned.isEmpty)
                #expect(status.uvRetries == 3)
                #expect(status.credentials.map(\.user) == ["alice"])
            }
            #expect(control.names().isEmpty)
        }
    }
}
