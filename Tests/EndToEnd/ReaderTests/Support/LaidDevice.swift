import CTAP
import CTAPNFC
import DeviceProfiles
import Foundation
import ProfileFiles
import SecurityKeys
import SimulatedDevice
import TestSupport
import Testing
import Transports
import VirtualAuthenticator
import WebAuthn

/// A simulated device on a reader, on a clock that only a test advances.
struct LaidDevice: Sendable {
    let device: SimulatedDevice
    let person: ControlledUser
    let clock: SimulatedClock
    let endpoint: VPCDEndpoint
    /// The name of the reader.
    let reader: String

    /// Lays a new device on a reader for as long as `use` runs.
    ///
    /// - Parameters:
    ///   - slot: The index of the reader.
    ///   - settings: Further settings of the authenticator.
    static func with(
        _ profile: String = "security-key-complete", slot: Int = 0, habit: ControlledUser.Habit = .auto,
        card: NFCCard.Configuration = NFCCard.Configuration(),
        settings: String? = nil, _ use: (LaidDevice) async throws -> Void
    ) async throws {
        let stack = try ReaderStack.required()
        let clock = SimulatedClock()
        // On a stopped clock an asking user has no deadline.
        let person = ControlledUser(habit: habit) { _ in for await _ in AsyncStream<Never>.makeStream().stream {} }
        let library = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
        var model = try library.profile(profile)
        if let settings {
            let text = model.text.replacing("authenticator:\n", with: "authenticator:\n  \(settings)\n")
            model = try DeviceProfile(parsing: text, file: profile)
        }
        let device = try SimulatedDevice(profile: model, time: clock, random: SystemRandomSource(), user: person)
        await device.clearFaults()
        var configuration = VPCDEndpoint.Configuration()
        configuration.port = stack.port + slot
        configuration.card = card
        let endpoint = try await VPCDEndpoint.connect(
            device: device.ctap(over: .nfc), u2f: device.u2f(over: .nfc).map { $0.answerU2F },
            configuration: configuration)
        let laid = LaidDevice(
            device: device, person: person, clock: clock, endpoint: endpoint, reader: stack.readers[slot])
        do {
            try await laid.waitUntilReader { $0.hasCard }
            try await use(laid)
        } catch {
            await laid.leave()
            throw error
        }
        await laid.leave()
    }

    /// Removes the device and waits until the reader has noticed.
    private func leave() async {
        await endpoint.close()
        try? await waitUntilReader { $0.content == .nothing }
    }

    /// Waits until the reader has the expected state.
    func waitUntilReader(_ isAsItShould: @escaping @Sendable (PCSCReader) -> Bool) async throws {
        try await waitUntilReaders { [reader] readers in readers.contains { $0.name == reader && isAsItShould($0) } }
    }

    /// Removes the device from the reader and puts it back; waits each time until the reader has noticed.
    func lift() async throws {
        await endpoint.remove()
        try await waitUntilReader { $0.content == .nothing }
    }

    func layDown() async throws {
        try await endpoint.insert()
        try await waitUntilReader { $0.hasCard }
    }

    /// Opens the key as a program does.
    func open(_ change: (inout NFCClient.Configuration) -> Void = { _ in }) async throws -> NFCSecurityKey {
        var configuration = NFCClient.Configuration()
        change(&configuration)
        return try await NFCSecurityKey.open(reader: reader, configuration: configuration)
    }

    /// Runs a script that finds the key on its reader.
    func run<Summary: Decodable>(
        _ script: String, _ requested: [String: JSON] = [:], as type: Summary.Type = Script.Done.self
    ) async throws -> Summary {
        var requested = requested
        requested["reader"] = .text(reader)
        let directories = [
            Bundle.module.bundleURL.appending(path: "Scripts"),
            PackageRoot.url.appending(path: "Tests/EndToEnd/InteropTests/Scripts"),
        ]
        return try await Script.run(script, in: directories, requested, as: type)
    }
}

/// Waits until the machine's readers have the expected state, which pcscd notices after some seconds.
func waitUntilReaders(_ areAsTheyShould: @escaping @Sendable ([PCSCReader]) -> Bool) async throws {
    struct NeverSo: Error {
        let last: [PCSCReader]
    }
    let found = try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
            for try await readers in PCSCReader.changes() where areAsTheyShould(readers) { return true }
            return false
        }
        group.addTask {
            try? await Task.sleep(for: .seconds(20))
            return false
        }
        defer { group.cancelAll() }
        return try await group.next() ?? false
    }
    if !found { throw NeverSo(last: try await PCSCReader.all()) }
}
