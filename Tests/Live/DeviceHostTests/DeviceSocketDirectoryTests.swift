import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing

@testable import DeviceHost

/// Device names, which are file names.
@Suite struct DeviceSocketDirectoryTests {
    private static let outsiders = [
        "", ".", "..", "../other", "a/b", "/etc/x", ".hidden", "a\0b", "a\nb", "a/\u{301}b", "Müllers Schlüssel",
        String(repeating: "a", count: 49),
    ]

    @Test("A name is one file in the directory", arguments: ["phone", "iphone-face-id-2", "a..b", "4_"])
    func nameIsOneFile(name: String) throws {
        #expect(try DeviceSocketDirectory(path: "/run/x").socketPath(of: name) == "/run/x/\(name).sock")
    }

    @Test("A text that is not a valid device name has no socket", arguments: outsiders)
    func nameOutsideTheDirectoryIsRefused(name: String) {
        #expect(throws: DeviceHostError.invalidName(name)) {
            try DeviceSocketDirectory(path: "/run/x").socketPath(of: name)
        }
    }

    @Test("A device's suggested name follows the rule, whatever its profile is called")
    func suggestedNameIsValid() throws {
        for profile in ["iphone-face-id", "Müllers Schlüssel", "..", "", String(repeating: "ü", count: 300)] {
            try DeviceName.check(DeviceName.suggested(for: profile))
        }
        #expect(DeviceName.suggested(for: "iphone-face-id") == "iphone-face-id")
    }

    @Test("The error of an invalid name suggests the nearest valid one")
    func errorSuggestsName() {
        let error = #expect(throws: DeviceHostError.self) { try DeviceName.check("Müllers Schlüssel") }
        #expect(error?.description.hasSuffix("such as “Mullers-Schlussel”") == true)
    }

    @Test("No device is started or reached under a text that is not a valid device name", arguments: outsiders)
    func invalidNameStartsNoDevice(name: String) async throws {
        let profile = try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile("solo-1")
        try await TestSocket.run { socket in
            await #expect(throws: DeviceHostError.invalidName(name)) {
                _ = try await DeviceHost.start(
                    profile, name: name, habit: .auto, connections: DeviceConnections(), directory: socket.directory)
            }
            await #expect(throws: DeviceHostError.invalidName(name)) {
                _ = try await DeviceSocketClient(directory: socket.directory).send(.status, to: name)
            }
        }
    }

    @Test("A running device answers by its name, which no other device can take")
    func deviceAnswersByName() async throws {
        let profile = try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile("solo-1")
        try await TestSocket.run { socket in
            func start() async throws -> DeviceHost {
                try await DeviceHost.start(
                    profile, name: "device", habit: .auto, connections: DeviceConnections(),
                    clock: .simulated(ManualTime()), directory: socket.directory)
            }
            let host = try await start()
            let run = Task { await host.run() }
            let client = DeviceSocketClient(directory: socket.directory)
            let status = try await client.send(.status, to: nil).status
            #expect(status.name == "device")
            #expect(status.profile == "solo-1")
            await #expect(throws: DeviceHostError.nameTaken("device")) { _ = try await start() }
            run.cancel()
            await run.value
            #expect(socket.directory.names().isEmpty)
            await #expect(throws: DeviceHostError.self) { try await client.send(.status, to: "device") }
        }
    }
}
