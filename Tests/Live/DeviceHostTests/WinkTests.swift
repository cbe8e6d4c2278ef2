import DeviceHost
import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import Synchronization
import TestSupport
import Testing
import Transports
import VirtualAuthenticator

/// CTAPHID_WINK to a running device.
@Suite struct WinkTests {
    @Test("A wink is an event of the device")
    func winkIsAnEvent() async throws {
        let profile = try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
            .profile("security-key-pin")
        try await TestSocket.run { socket in
            let winks = Mutex(0)
            var udp = UDPEndpoint.Configuration()
            udp.port = 0
            let host = try await DeviceHost.start(
                profile, name: "device", habit: .auto, connections: DeviceConnections(udp: udp),
                onEvent: { event in
                    if case .device(let event) = event.kind, event.kind == .wink { winks.withLock { $0 += 1 } }
                }, directory: socket.directory)
            let run = Task { await host.run() }
            let client = try await UDPDevice.connect(to: "127.0.0.1", port: #require(host.port))
            try await client.wink()
            await client.close()
            run.cancel()
            await run.value
            #expect(winks.withLock { $0 } == 1)
        }
    }
}
