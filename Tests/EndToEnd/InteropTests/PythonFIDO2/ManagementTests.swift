import Biometrics
import CTAP
import DeviceProfiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

extension Interop {
    /// python-fido2 over UDP: the commands that manage a key, and the extensions of its client.
    @Suite struct PythonManagementTests {
        static let profile = "security-key-complete"

        @Test(arguments: [1, 2])
        func credentialsAreListedRenamedAndDeleted(pinUvAuthProtocol: Int) async throws {
            try await ServedDevice.with(Self.profile) { served in
                let capacity = served.device.profile.authenticator.discoverableCapacity
                _ = try await Script.run(
                    "manage_credentials", port: served.port,
                    ["protocol": .number(pinUvAuthProtocol), "capacity": .number(capacity)])
                #expect(await served.device.authenticator.snapshot().credentials.map(\.user.name) == ["bob", "carol"])
            }
        }

        @Test(arguments: [1, 2])
        func fingersAreEnrolledNamedAndRemoved(pinUvAuthProtocol: Int) async throws {
            try await ServedDevice.with(Self.profile) { served in
                let complaints: [EnrollSampleStatus] = [.tooHigh, .tooFast, .poorQuality, .noUserPresenceTransition]
                for status in complaints { await served.person.tell(.sample(status)) }
                let room = try #require(served.device.profile.sensor?.maxTemplates)
                _ = try await Script.run(
                    "manage_fingers", port: served.port,
                    [
                        "protocol": .number(pinUvAuthProtocol), "room": .number(room),
                        "complaints": .numbers(complaints.map(\.rawValue)),
                    ])
                #expect(await served.person.plannedActs.isEmpty)
            }
        }

        @Test(arguments: [1, 2])
        func largeBlobsAreWrittenAndReadBack(pinUvAuthProtocol: Int) async throws {
            try await ServedDevice.with(Self.profile) { served in
                let capacity = try #require(served.device.profile.authenticator.largeBlobCapacity)
                _ = try await Script.run(
                    "large_blobs", port: served.port,
                    ["protocol": .number(pinUvAuthProtocol), "capacity": .number(capacity)])
            }
        }

        @Test(arguments: [1, 2])
        func theKeyIsConfigured(pinUvAuthProtocol: Int) async throws {
            try await ServedDevice.with(Self.profile) { served in
                _ = try await Script.run("configure", port: served.port, ["protocol": .number(pinUvAuthProtocol)])
            }
        }

        @Test func u2fWorks() async throws {
            try await ServedDevice.with(Self.profile) { served in _ = try await Script.run("u2f", port: served.port) }
        }

        @Test(arguments: ["pin", "finger"])
        func aPageGetsItsExtensionResults(method: String) async throws {
            try await ServedDevice.with(Self.profile) { served in
                if method == "finger" {
                    try await served.device.authenticator.changeGate { gate, now throws(GateError) in
                        try gate.enrol(BiometricTemplate(id: [1], name: "finger"), at: now)
                    }
                }
                _ = try await Script.run("client_extensions", port: served.port, ["method": .text(method)])
            }
        }
    }
}
