import DeviceProfiles
import Foundation
import SimulatedDevice
import TestSupport
import Testing

@testable import DeviceHost

/// Names of devices, which are files' names.
@Suite struct ControlDirectoryTests {
    private static let outsiders = [
        "", ".", "..", "../other", "a/b", "/etc/x", ".hidden", "a\0b", "a\nb", "a/\u{301}b",
    ]

    @Test("A name is one file of the directory", arguments: ["phone", "iphone-face-id-2", "a..b", "Müllers Schlüssel"])
    func namesAreFiles(name: String) throws {
        #expect(try ControlDirectory(path: "/run/x").socketPath(of: name) == "/run/x/\(name).sock")
    }

    @Test("A name that would lead elsewhere has no socket", arguments: outsiders)
    func namesLeadNowhereElse(name: String) {
        #expect(throws: DeviceHostError.invalidName(name)) {
            try ControlDirectory(path: "/run/x").socketPath(of: name)
        }
    }

    @Test("No device is started or asked under a name that leads elsewhere", arguments: outsiders)
    func devicesHaveNames(name: String) async throws {
        let profile = try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile("solo-1")
        try await ControlSocket.run { socket in
            await #expect(throws: DeviceHostError.invalidName(name)) {
                _ = try await DeviceHost.start(
                    profile, name: name, habit: .auto, connections: DeviceConnections(), directory: socket.directory)
            }
            await #expect(throws: DeviceHostError.invalidName(name)) {
                _ = try await ControlClient(directory: socket.directory).send(ControlRequest(.status), to: name)
            }
        }
    }

    @Test("A running device answers by its name, which no other takes meanwhile")
    func devicesAnswerByName() async throws {
        let profile = try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile("solo-1")
        try await ControlSocket.run { socket in
            func start() async throws -> DeviceHost {
                try await DeviceHost.start(
                    profile, name: "device", habit: .auto, connections: DeviceConnections(),
                    clock: .simulated(ManualTime()), directory: socket.directory)
            }
            let host = try await start()
            let run = Task { await host.run() }
            let client = ControlClient(directory: socket.directory)
            let status = try await client.send(ControlRequest(.status), to: nil)
            #expect(status.name == "device")
            #expect(status.profile == "solo-1")
            await #expect(throws: DeviceHostError.nameTaken("device")) { _ = try await start() }
            run.cancel()
            await run.value
            #expect(socket.directory.names().isEmpty)
            await #expect(throws: DeviceHostError.self) { try await client.send(ControlRequest(.status), to: "device") }
        }
    }
}
