import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

extension Interop {
    /// python-fido2 over UDP: CTAPHID itself.
    @Suite struct PythonTransportTests {
        @Test func channelsEchoWaitAndCancel() async throws {
            struct Summary: Decodable { let lengths: [Int] }
            try await ServedDevice.with("security-key-bio", habit: .ask) { served in
                let summary = try await Script.run("transport", port: served.port, as: Summary.self)
                #expect(summary.lengths.contains(7609))
                let winks = served.device.log.all.filter {
                    if case .device(let event) = $0.kind { event.kind == .wink } else { false }
                }
                #expect(winks.count == 1)
            }
        }
    }
}
