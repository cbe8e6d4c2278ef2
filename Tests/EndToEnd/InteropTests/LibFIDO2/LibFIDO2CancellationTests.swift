import COSE
import CTAP
import SecurityKeys
import SimulatedDevice
import Synchronization
import Testing
import VirtualAuthenticator

extension Interop {
    /// Cancelled tasks that call libfido2.
    @Suite struct LibFIDO2CancellationTests {
        @Test("A cancellation that the key did not hear is repeated")
        func lostCancellation() async throws {
            try await LibFIDO2Bench.with("security-key-pin", habit: .ask) { bench in
                let deaf = DeafTransport(bench.transport)
                try await LibFIDO2Key.with(.reports(deaf)) { key in
                    let task = Task { try await key.register() }
                    await bench.waitUntilAskedForTouch()
                    task.cancel()
                    await #expect(throws: SecurityKeyError.refused(.keepaliveCancel)) { try await task.value }
                    #expect(deaf.lost == 1)
                }
            }
        }
    }
}

extension LibFIDO2Key {
    /// Registers a credential, for which the key waits for a touch.
    fileprivate func register() async throws(SecurityKeyError) {
        _ = try await makeCredential(
            MakeCredentialRequest(
                clientDataHash: [UInt8](repeating: 1, count: 32), rp: PublicKeyCredentialRPEntity(id: "example.com"),
                user: PublicKeyCredentialUserEntity(id: [1]),
                pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)]), pin: nil, uv: false)
    }
}

/// A transport that loses the first CTAPHID_CANCEL.
private final class DeafTransport: ReportTransport {
    private let transport: any ReportTransport
    private let count = Mutex(0)

    init(_ transport: any ReportTransport) {
        self.transport = transport
    }

    /// The number of lost reports.
    var lost: Int { count.withLock { $0 } }

    func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]? {
        try transport.read(within: milliseconds)
    }

    func write(_ report: [UInt8]) -> Bool {
        // The command follows the channel (CTAP 2.3 §11.2.4).
        let isCancel = report[4] == 0x80 | 0x11
        let isLost = count.withLock { count in
            defer { if isCancel, count == 0 { count = 1 } }
            return isCancel && count == 0
        }
        return isLost || transport.write(report)
    }
}
