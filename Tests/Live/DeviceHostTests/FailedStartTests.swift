import DeviceProfiles
import DeviceStore
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import Transports

@testable import DeviceHost

/// Devices that cannot start.
@Suite struct FailedStartTests {
    private static func profile() throws -> DeviceProfile {
        try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile("solo-1")
    }

    private static func store(at path: String) throws -> DeviceStore {
        try DeviceStore.openOrCreate(
            at: path, for: DeviceIdentity(try profile()), createdAt: .zero, durability: .normal)
    }

    /// Starts a device at a port that another one has.
    private static func startAtTakenPort(_ socket: TestSocket, store: DeviceStore) async throws {
        var udp = UDPEndpoint.Configuration()
        udp.port = 0
        let first = try await DeviceHost.start(
            try profile(), name: "first", habit: .auto, connections: DeviceConnections(udp: udp),
            clock: .simulated(ManualTime()), directory: socket.directory)
        let run = Task { await first.run() }
        udp.port = try #require(first.port)
        await #expect(throws: DeviceHostError.self) {
            _ = try await DeviceHost.start(
                try profile(), name: "second", habit: .auto, connections: DeviceConnections(udp: udp),
                clock: .simulated(ManualTime()), directory: socket.directory, store: store)
        }
        run.cancel()
        await run.value
        #expect(socket.directory.names().isEmpty)
    }

    @Test("A device that does not start leaves no state file and no directory")
    func failedStartLeavesNoFiles() async throws {
        try await TestSocket.run { socket in
            try socket.directory.prepare()
            let path = socket.directory.path + "/new/deep/state.sqlite"
            try await Self.startAtTakenPort(socket, store: try Self.store(at: path))
            #expect(!FileManager.default.fileExists(atPath: socket.directory.path + "/new"))
            #expect(FileManager.default.fileExists(atPath: socket.directory.path))
        }
    }

    @Test("The state of an earlier run survives a start that fails, and its file is free again")
    func failedStartKeepsEarlierState() async throws {
        try await TestSocket.run { socket in
            try socket.directory.prepare()
            let path = socket.directory.path + "/state.sqlite"
            try Self.store(at: path).close()
            try await Self.startAtTakenPort(socket, store: try Self.store(at: path))
            try Self.store(at: path).close()
        }
    }
}
