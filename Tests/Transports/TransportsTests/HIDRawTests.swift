import CTAP
import CTAPHID
import Synchronization
import TestSupport
import Testing

@testable import Transports

@Suite("A USB key through its hidraw node", .timeLimit(.minutes(30)))
struct HIDRawTests {
    private struct Programs: Sendable {}

    /// Runs a test with a key that is opened through a simulated hidraw node.
    static func withKey(
        capabilities: CTAPHIDCapabilities = [.cbor, .wink],
        _ body: (HIDRawDevice, FakeKernel, ScriptedDevice) async throws -> Void
    ) async throws {
        let kernel = try FakeKernel()
        let device = ScriptedDevice()
        var configuration = CTAPHIDServerConfiguration()
        configuration.capabilities = capabilities
        // A busy machine may delay either side, which is not under test.
        configuration.messageTimeout = .seconds(30)
        let runner = CTAPHIDServerRunner<Programs>(device: device, configuration: configuration) { reports, _ in
            for report in reports { try? kernel.write(report) }
        }
        // hidraw takes 65 bytes, the first of them the report's number.
        let pump = Task {
            while case let report = await kernel.read(), !report.isEmpty {
                #expect(report.count == 65 && report.first == 0)
                runner.receive(Array(report.dropFirst()), from: Programs())
            }
        }
        let key = try await HIDRawDevice.attach(
            descriptor: kernel.descriptor, named: "/dev/hidraw7", silenceLimit: .seconds(30))
        try await body(key, kernel, device)
        await key.close()
        kernel.hangUp()
        await pump.value
    }

    @Test func requestsAndAnswersMayBeLong() async throws {
        try await Self.withKey { key, _, _ in
            let request = [4] + payload(7600)
            let answer = try await key.transceive(request)
            #expect(answer == [0] + request)
        }
    }

    @Test func aKeyWithoutCTAP2IsReportedAsU2FOnly() async throws {
        try await Self.withKey(capabilities: [.wink]) { key, _, device in
            let error = await #expect(throws: CTAPDeviceError.self) { _ = try await key.transceive([4]) }
            #expect(error?.detail.contains("U2F (CTAP1) only") == true)
            #expect(device.events.isEmpty)
        }
    }

    @Test func aCancelledTaskCancelsItsRequest() async throws {
        try await Self.withKey { key, _, device in
            let (waiting, feed) = AsyncStream.makeStream(of: Void.self)
            let task = Task { try await key.transceive([1]) { _ in feed.yield() } }
            for await _ in waiting { break }
            task.cancel()
            let answer = try await task.value
            #expect(answer == [0x2D])
            #expect(device.events.contains("cancelled"))
        }
    }

    @Test func reportsForOtherProgramsAreIgnored() async throws {
        try await Self.withKey { key, kernel, _ in
            // Every program that has the node open gets every report.
            try kernel.write([9, 9, 9, 9, 0x90, 0, 1, 0x7F] + [UInt8](repeating: 0, count: 56))
            let answer = try await key.transceive([4])
            #expect(answer == [0, 4])
        }
    }

    @Test func aKeyThatIsPulledEndsTheRequest() async throws {
        try await Self.withKey { key, kernel, _ in
            let (waiting, feed) = AsyncStream.makeStream(of: Void.self)
            let task = Task { try await key.transceive([1]) { _ in feed.yield() } }
            for await _ in waiting { break }
            kernel.hangUp()
            let error = await #expect(throws: CTAPDeviceError.self) { _ = try await task.value }
            guard case .disconnected = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(arguments: [("/nowhere/hidraw0", "/nowhere/hidraw0 was not found"), ("/etc/hostname", "is not a device")])
    func aNodeThatIsNoKeyIsRefusedWithAMessage(path: String, reason: String) async throws {
        let error = await #expect(throws: CTAPDeviceError.self) { _ = try await HIDRawDevice.open(path: path) }
        #expect(error?.detail.contains(reason) == true)
    }
}
