import ArgumentParser
import CTAP
import DeviceProfiles
import KeyBench
import KnownKeys
import SecurityKeys
import SimulatedDevice
import Trace

/// Which key, and who manages it.
struct KeyOptions: ParsableArguments {
    @Option(help: "The key: \(DeviceSelector.spellings).")
    var device: String?

    @Option(help: "Who manages it: libfido2, as most programs do, or direct, our own client over raw CTAP.")
    var through: KeyRoute = .libfido2

    @OptionGroup var tracing: TraceOptions

    /// The key meant: the only one that fits, or of several the one the person touches.
    ///
    /// - Throws: `CommandError` for a selector that says nothing, ``KeyBenchError`` when no key fits.
    func find() async throws -> BenchDevice {
        let devices = try await Self.devices(device)
        guard devices.count > 1 else {
            guard let only = devices.first else {
                throw CommandError("there is no security key here: plug one in, or name one with --device", .notThere)
            }
            return only
        }
        Terminal.writeError(
            "There are \(devices.count) keys: \(devices.map(\.selector.description).joined(separator: ", ")).")
        // Over NFC they are all being touched already.
        guard devices.allSatisfy({ $0.transport != "nfc" }) else {
            throw CommandError("say which one with --device", .badInput)
        }
        Terminal.writeError("Touch the one you mean.")
        let chosen = try await TouchSelection.select(among: devices)
        Terminal.writeError("It is \(chosen.title) (\(chosen.selector)).")
        return chosen
    }

    /// The devices a selector names, or all keys there are.
    static func devices(_ text: String?, seed: UInt64? = nil) async throws -> [BenchDevice] {
        let finder = DeviceFinder(seed: seed) { try ProfileLibrary.standard().profile($0) }
        guard let text else { return try await finder.all() }
        guard let selector = DeviceSelector(text) else {
            throw CommandError("\"\(text)\" names no device; expected \(DeviceSelector.spellings)", .badInput)
        }
        return try await finder.devices(selector)
    }

    /// The one device a selector names.
    ///
    /// - Throws: `CommandError` when it could be several.
    static func onlyDevice(_ text: String, seed: UInt64? = nil) async throws -> BenchDevice {
        let devices = try await devices(text, seed: seed)
        guard devices.count == 1, let device = devices.first else {
            let names = devices.map(\.selector.description).joined(separator: ", ")
            throw CommandError("\"\(text)\" names \(devices.count) devices (\(names)): say which", .badInput)
        }
        return device
    }

    /// Manages the key; Ctrl-C tells it to stop.
    func withKey<Result: Sendable>(
        _ use: @escaping @Sendable (any SecurityKey, KeyPerson) async throws -> Result
    ) async throws -> Result {
        try await withDevice { device, person in
            try await device.withKey(by: through, trace: trace(of: device), onKeepalive: person.keepalive) { key in
                try await use(key, person)
            }
        }
    }

    /// Works with whatever manages the key; Ctrl-C tells it to stop.
    func withDevice<Result: Sendable>(
        _ use: @escaping @Sendable (BenchDevice, KeyPerson) async throws -> Result
    ) async throws -> Result {
        try await Interruption.cancelling {
            let device = try await find()
            let person = KeyPerson(key: "\(device.title) (\(device.selector))")
            do {
                let result = try await use(device, person)
                person.isDone()
                return result
            } catch {
                person.isDone()
                throw error
            }
        }
    }

    func trace(of device: BenchDevice) throws -> DeviceTrace? {
        try tracing.recorder()?.device(device.selector.description, title: device.title, now: SystemTime().now)
    }
}

extension KeyRoute: ExpressibleByArgument {}

/// Where the PIN comes from.
struct PINOptions: ParsableArguments {
    @Option(help: "Read the PIN from the first line of this file; - is standard input. $TOUCHSTONE_PIN does the same.")
    var pinFile: String?

    @Flag(help: "Try a PIN even when it is the last try before the key locks for good.")
    var lastTry = false

    /// The key's PIN, after the person has seen how many tries are left; nil for a key without one.
    func pin(
        of key: any SecurityKey, saying info: AuthenticatorInfo, _ person: KeyPerson
    ) async throws -> String? {
        guard info.option(.clientPin) == true else { return nil }
        return try pin(retriesLeft: try await key.pinRetries(), person)
    }

    /// The PIN; the last try is never spent without asking.
    func pin(retriesLeft: Int, _ person: KeyPerson, prompt: String = "PIN") throws -> String {
        guard retriesLeft > 0 else {
            throw CommandError(
                "the PIN of \(person.key) is blocked: only `touchstone keys reset`, which erases everything, helps",
                .checkFailed)
        }
        Terminal.writeError("\(person.key): \(retriesLeft) PIN tries left.")
        if retriesLeft == 1, !lastTry {
            try person.confirm(
                "This is the last one: if it is wrong, \(person.key) locks for good and only a reset helps.",
                word: "yes", flag: "--last-try")
        }
        return try SecretInput.read(file: pinFile, variable: "TOUCHSTONE_PIN", prompt: "\(prompt): ", what: "PIN")
    }
}

/// A key that is managed with its PIN.
struct ManagedKeyOptions: ParsableArguments {
    @OptionGroup var key: KeyOptions

    @OptionGroup var pin: PINOptions

    /// Manages the key; its PIN is asked for first, where it has one.
    ///
    /// - Parameter features: what the key must offer; a PIN typed for nothing helps nobody.
    func withKey<Result: Sendable>(
        offering features: [KeyFeature],
        _ use: @escaping @Sendable (any SecurityKey, KeyPerson, _ pin: String?) async throws -> Result
    ) async throws -> Result {
        try await key.withKey { [pin] key, person in
            let info = try await key.info()
            for feature in features { try feature.require(of: info) }
            return try await use(key, person, try await pin.pin(of: key, saying: info, person))
        }
    }
}
