import Faults
import SimulatedDevice
import TestSupport
import Testing

extension Interop {
    /// python-fido2 over UDP, when packets go wrong.
    @Suite struct PythonTransportFaultTests {
        private struct Ending: Decodable {
            let outcome: String
        }

        @Test(
            "python-fido2 ends the request with an error, and works with the device afterwards",
            arguments: [
                "packet-dropped", "packet-duplicated", "packets-reordered", "packet-cut", "channel-wrong",
                "sequence-wrong", "command-wrong", "length-too-long", "length-too-short", "hid-error:OTHER",
                "unplugged",
                // Packets of other channels should be ignored, but python-fido2 refuses them.
                "stray-packet", "garbage",
            ])
        func brokenAnswersAreErrors(fault: String) async throws {
            try await ServedDevice.with("security-key-pin") { served in
                try await served.device.arm(try Fault(parsing: fault), times: 1)
                #expect(try await Script.run("bad_cable", port: served.port, as: Ending.self).outcome != "intact")
                await served.device.clearFaults()
                #expect(try await Script.run("bad_cable", port: served.port, as: Ending.self).outcome == "intact")
            }
        }

        @Test(
            "python-fido2 refuses the wrong answers of keys with quirks, and accepts correct ones",
            arguments: ["nitrokey-fido2", "solo-1-firmware-2.1.0", "qubes-ctap-proxy"])
        func quirksAffectPythonFIDO2(profile: String) async throws {
            try await ServedDevice.with(profile, withQuirks: true) { served in
                let wrong = try await Script.run("bad_cable", port: served.port, as: Ending.self)
                #expect(wrong.outcome != "intact")
                await served.device.clearFaults()
                let right = try await Script.run("bad_cable", port: served.port, as: Ending.self)
                #expect(right.outcome == "intact")
            }
        }

        @Test(
            "python-fido2 tolerates harmless faults",
            arguments: ["keepalive-storm", "hid-error:CHANNEL_BUSY", "slow:0.01", "keepalive-silence"])
        func harmlessFaultsPass(fault: String) async throws {
            try await ServedDevice.with("security-key-pin") { served in
                try await served.device.arm(try Fault(parsing: fault), times: 1)
                #expect(try await Script.run("bad_cable", port: served.port, as: Ending.self).outcome == "intact")
            }
        }
    }
}
