import ArgumentParser
import CTAP
import DeviceHost
import DeviceProfiles
import Documents
import KeyBench
import KnownKeys
internal import MachineTime
internal import ProfileFiles
import SecurityKeys
import SimulatedDevice
import Trace
import WebAuthn
import Wording
internal import YAMLFiles

/// The security key a command works on, and the library that manages it.
struct KeyOptions: ParsableArguments {
    @Option(help: "The key: \(DeviceSelector.spellings).", completion: .selectors)
    var device: String?

    @Option(help: "The route to the key: libfido2, the route of most programs, or direct, raw CTAP.")
    var through: KeyRoute = .libfido2

    @OptionGroup var phones: PhoneOptions

    @OptionGroup var tracing: TraceOptions

    func validate() throws { try phones.check([device.flatMap(DeviceSelector.init)]) }

    /// The key that `--device` selects; with several keys, the key that the user touches.
    ///
    /// - Throws: `CommandError` for an unknown selector or without any key, `KeyBenchError` when no key fits.
    func find() async throws -> BenchDevice {
        let devices = try await Self.devices(device, phones: phones)
        guard devices.count > 1 else {
            guard let only = devices.first else {
                throw CommandError(
                    "no security key was found; plug one in, or name a virtual one: --device virtual:yubikey-5-nfc-5.7",
                    .notFound)
            }
            return only
        }
        Terminal.writeError(
            "There are \(devices.count) keys: \(devices.map(\.selector.description).joined(separator: ", ")).")
        // A key on a reader counts as touched.
        guard devices.allSatisfy({ $0.transport != .nfc }) else {
            throw CommandError("several security keys match; choose one with --device", .badInput)
        }
        Terminal.writeError("Touch the key to use.")
        let chosen = try await TouchSelection.select(among: devices)
        Terminal.writeError("Using \(chosen.title) (\(chosen.selector)).")
        return chosen
    }

    /// The devices a selector names; without a selector, all security keys.
    ///
    /// - Parameter limit: the time for a phone to scan a QR code; nil for the usual one.
    static func devices(
        _ text: String?, seed: UInt64? = nil, phones: PhoneOptions? = nil, limit: Duration? = nil
    ) async throws -> [BenchDevice] {
        let finder = DeviceFinder(seed: seed, phones: try (phones ?? PhoneOptions.parse([])).settings(limit: limit)) {
            try ProfileLibrary.standard().profile($0)
        }
        guard let text else { return try await finder.all() }
        guard let selector = DeviceSelector(text) else {
            throw CommandError("\"\(text)\" is not a device selector; " + (await advice(on: text)), .badInput)
        }
        return try await finder.devices(selector)
    }

    /// The selector that a text stands for: a running device, a profile or a misspelt selector.
    private static func advice(on text: String) async -> String {
        let running = DeviceSocketDirectory.standard.names().contains(text)
        if running, let status = try? await DeviceSocketClient().send(.status, to: text).status {
            if let port = status.udpPort { return "the running device \(text) is --device udp:127.0.0.1:\(port)" }
            if status.usb != nil { return "the running device \(text) is on USB: --device usb" }
            if status.isOnReader != nil { return "the running device \(text) is on a reader: --device nfc" }
        }
        let profiles = ((try? ProfileLibrary.standard().files()) ?? []).map { ResourceName.name(ofFile: $0) }
        guard !profiles.contains(text) else { return "did you mean --device virtual:\(text)?" }
        let words = ["usb", "nfc", "hybrid:"] + profiles.map { "virtual:" + $0 }
        let nearest = NearestNames.to(text, among: words)
        return nearest.isEmpty
            ? "expected \(DeviceSelector.spellings)" : "did you mean --device \(nearest.joined(separator: ", "))?"
    }

    /// - Throws: `CommandError` when it names several.
    static func onlyDevice(
        _ text: String, seed: UInt64? = nil, phones: PhoneOptions? = nil, limit: Duration? = nil
    ) async throws -> BenchDevice {
        let devices = try await devices(text, seed: seed, phones: phones, limit: limit)
        guard devices.count == 1, let device = devices.first else {
            let names = devices.map(\.selector.description).joined(separator: ", ")
            throw CommandError("\"\(text)\" names \(devices.count) devices; choose one of \(names)", .badInput)
        }
        return device
    }

    /// Works with the key through its library; Ctrl-C cancels the operation.
    func withKey<Result: Sendable>(
        _ use: @escaping @Sendable (any SecurityKey, KeyUser) async throws -> Result
    ) async throws -> Result {
        try await withDevice { device, person in
            try await device.withKey(by: through, trace: trace(of: device), onKeepalive: person.keepalive) { key in
                try await use(key, person)
            }
        }
    }

    /// Works with the device; Ctrl-C cancels the operation.
    func withDevice<Result: Sendable>(
        _ use: @escaping @Sendable (BenchDevice, KeyUser) async throws -> Result
    ) async throws -> Result {
        try await Interruption.cancelling {
            let device = try await find()
            let person = KeyUser(
                key: "\(device.title) (\(device.selector))",
                options: self.device == nil ? "" : " --device \(device.selector)",
                powerCycle: await Self.powerCycle(of: device))
            do {
                let result = try await use(device, person)
                person.isDone()
                return result
            } catch {
                person.isDone()
                if let left = await RetriesLeft.sentence(on: device, after: error) { Terminal.writeError(left) }
                throw KeyAdvice.advised(error, person)
            }
        }
    }

    /// The way to cut a key's power: for one on UDP, the running device that has its port.
    private static func powerCycle(of device: BenchDevice) async -> KeyUser.PowerCycle {
        guard case .udp(let host, let port) = device.place else { return .unplugging }
        guard ["127.0.0.1", "::1", "localhost"].contains(host) else { return .simulator }
        for name in DeviceSocketDirectory.standard.names() {
            let status = try? await DeviceSocketClient().send(.status, to: name).status
            if let status, status.udpPort == port { return .device(name) }
        }
        return .simulator
    }

    func trace(of device: BenchDevice) throws -> DeviceTrace? {
        try tracing.recorder()?.device(device.selector.description, title: device.title, now: SystemTime().now)
    }
}

extension KeyRoute: ExpressibleByArgument {}

/// A security key that is managed with its PIN.
struct ManagedKeyOptions: ParsableArguments {
    @OptionGroup var key: KeyOptions

    @OptionGroup var pin: PINOptions

    /// Works with the key, after its PIN is entered if it has one.
    ///
    /// - Parameter features: the features the key must support; checked before the PIN is entered.
    func withKey<Result: Sendable>(
        offering features: [KeyFeature],
        _ use: @escaping @Sendable (any SecurityKey, KeyUser, _ pin: String?) async throws -> Result
    ) async throws -> Result {
        try await key.withKey { [pin, route = key.through] key, person in
            let info = try await key.info()
            for feature in features { try feature.require(of: info) }
            let entered = try await pin.pin(of: key, saying: info, person)
            // libfido2 manages a key with its PIN only, never with its sensor.
            let canVerify = entered != nil || (route == .direct && info.option(.uv) == true)
            guard canVerify || !features.contains(where: \.needsVerification) else {
                throw CommandError(
                    "\(person.key) has no PIN, which this needs; set one with \(person.command("pin set"))",
                    .checkFailed)
            }
            return try await use(key, person, entered)
        }
    }
}

extension KeyFeature {
    /// Whether every use of the feature needs the PIN or the sensor (CTAP 2.3 §6.7, §6.8).
    fileprivate var needsVerification: Bool {
        switch self {
        case .credentialManagement, .fingerprints: true
        case .largeBlobs, .configuration: false
        }
    }
}
