import SimulatedDevice
import TestSupport
import Testing

extension Interop {
    /// python-fido2 over UDP: CTAPHID itself.
    @Suite struct PythonTransportTests {
        @Test func channelsEchoWaitAndCancel() async throws {
            struct Summary: Decodable { let lengths: [Int] }
            try await ServedDevice.with("security-key-bio", habit: .ask) { served in
                let summary = try await Script.run("transport", port: served.port, as: Summary.self)
                #expect(summary.lengths.contains(7609))
                #expect(served.winks.count == 1)
            }
        }
    }
}
