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
            "It ends the request with an error, and gets along with the device afterwards",
            arguments: [
                "packet-dropped", "packet-duplicated", "packets-reordered", "packet-cut", "channel-wrong",
                "sequence-wrong", "command-wrong", "length-too-long", "length-too-short", "hid-error:OTHER",
                "unplugged",
                // Other channels' packets are for others, but python-fido2 does not let them pass.
                "stray-packet", "garbage",
            ])
        func brokenAnswersAreErrors(fault: String) async throws {
            try await ServedDevice.with("security-key-pin") { served in
                await served.device.arm(try Fault(parsing: fault), times: 1)
                #expect(try await Script.run("bad_cable", port: served.port, as: Ending.self).outcome != "intact")
                await served.device.clearFaults()
                #expect(try await Script.run("bad_cable", port: served.port, as: Ending.self).outcome == "intact")
            }
        }

        @Test(
            "It does not take the answers of keys that get them wrong, and takes them once they are right",
            arguments: ["nitrokey-fido2", "solo-1-firmware-2.1.0", "qubes-ctap-proxy"])
        func quirksAreReal(profile: String) async throws {
            try await ServedDevice.with(profile, withQuirks: true) { served in
                let wrong = try await Script.run("bad_cable", port: served.port, as: Ending.self)
                #expect(wrong.outcome != "intact")
                await served.device.clearFaults()
                let right = try await Script.run("bad_cable", port: served.port, as: Ending.self)
                #expect(right.outcome == "intact")
            }
        }

        @Test(
            "It puts up with what does no harm",
            arguments: ["keepalive-storm", "hid-error:CHANNEL_BUSY", "slow:0.01", "keepalive-silence"])
        func harmlessOddities(fault: String) async throws {
            try await ServedDevice.with("security-key-pin") { served in
                await served.device.arm(try Fault(parsing: fault), times: 1)
                #expect(try await Script.run("bad_cable", port: served.port, as: Ending.self).outcome == "intact")
            }
        }
    }
}
