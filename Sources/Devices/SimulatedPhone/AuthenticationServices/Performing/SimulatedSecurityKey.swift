internal import CTAP
internal import DeviceProfiles
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient
internal import Wording

/// A simulated security key for a phone.
///
/// ```swift
/// import SimulatedPhone
///
/// func keyWithPIN(at phone: Phone) throws -> SimulatedSecurityKey {
///     let key = try phone.plugIn("yubikey-5-nfc-5.7")
///     try key.setPIN("123456")
///     return key
/// }
/// ```
public final class SimulatedSecurityKey: Sendable {
    /// The user at the key, with acts such as ``PersonAct/touch`` and ``PersonAct/ignore``.
    ///
    /// Without a plan the user touches the key.
    public let person: PhonePerson

    let device: SimulatedDevice
    private let executor: PhoneExecutor
    private let start: Duration
    private let pins = Mutex(PINs())

    private struct PINs {
        /// The key's PIN, which the user knows; nil for a key without one.
        var known: String?
        var planned: [(pin: String?, place: CodePlace)] = []
    }

    init(_ kind: DeviceProfile, of phone: Phone) throws {
        let clock = phone.clock
        let wait: @Sendable (Duration) async -> Void = { clock.advance(to: $0) }
        let user = ControlledUser(habit: .auto, liftsFromReader: true, waitUntil: wait)
        let person = PhonePerson(
            user, possible: PossibleActs(kind), executor: phone.executor, desk: AuthorizationDesk())
        device = try SimulatedDevice(
            profile: kind, time: clock, random: phone.random, user: user,
            log: EventLog { [weak desk = phone.desk] event in
                person.hear(event)
                desk?.hear(event)
            },
            executor: phone.executor, wait: wait)
        (self.person, executor, start) = (person, phone.executor, phone.start)
    }

    /// The name of the profile.
    public var profile: String { device.profile.name }

    /// The key's display name, such as `YubiKey 5 NFC, firmware 5.7`.
    public var title: String { device.profile.title }

    /// The key's events, oldest first, as one line each, with the time since the phone was switched on.
    public var events: [String] { device.eventLines(since: start) }

    /// Whether the key has a PIN.
    public var hasPIN: Bool { pins.withLock { $0.known != nil } }

    /// Sets the PIN of a key without one; the user knows it.
    ///
    /// - Throws: ``PhoneRefusal`` for a key that already has a PIN or does not support one, and for a PIN that the
    ///   key's policy refuses.
    public func setPIN(_ pin: String) throws {
        guard !hasPIN else { throw PhoneRefusal("\(title) already has a PIN; change it with changePIN") }
        try take(pin) { try await $0.setPIN(pin) }
    }

    /// Changes the PIN, which the user knows.
    ///
    /// - Throws: ``PhoneRefusal`` for a key without a PIN, for one that takes no PIN now, and for a PIN that the key's
    ///   policy refuses.
    public func changePIN(_ pin: String) throws {
        guard let current = pins.withLock({ $0.known }) else {
            throw PhoneRefusal("\(title) has no PIN; set one with setPIN")
        }
        try take(pin) { try await $0.changePIN(from: current, to: pin) }
    }

    private func take(_ pin: String, _ change: @escaping @Sendable (PINClient) async throws -> Void) throws {
        let shortest = device.profile.authenticator.minPINLength
        guard pin.unicodeScalars.count >= shortest, pin.utf8.count <= 63 else {
            throw PhoneRefusal(
                "\(title) does not take a PIN of \(Wording.counted(pin.unicodeScalars.count, "character")); "
                    + "choose one of at least \(Wording.counted(shortest, "character")) and at most 63 bytes")
        }
        do {
            try executor.wait { [device] in
                try await change(
                    PINClient(AuthenticatorClient(device.authenticator), protocol: device.pinProtocol) {
                        SystemRandomSource().bytes($0)
                    })
            }
        } catch {
            throw PhoneRefusal("\(title) does not take the PIN: \(error)")
        }
        pins.withLock { $0.known = pin }
    }

    /// Plans the PIN that the user types when the phone next asks for it; nil cancels the question.
    ///
    /// Without a plan the user types the correct PIN.
    public func willTypePIN(_ pin: String?, file: String = #fileID, line: Int = #line) {
        pins.withLock { $0.planned.append((pin, CodePlace(file: file, line: line))) }
    }

    /// Starts the key, which had no power: the wrong PINs in a row are forgotten, and the attempts that are left stay.
    func powerUp() { executor.result { [device] in await device.authenticator.powerCycle() } }

    /// The client of an app that reaches the key over a connection.
    func client(over transport: AuthenticatorTransport) -> WebAuthnClient {
        device.client(over: device.ctap(over: transport), pins: PINScript(), random: SystemRandomSource()) {
            $0.enterPIN = { [self] _ in typePIN() }
        }
    }

    private func typePIN() -> PINEntry {
        pins.withLock { pins in
            let pin = pins.planned.isEmpty ? pins.known : pins.planned.removeFirst().pin
            return pin.map { .pin($0) } ?? .cancelled
        }
    }

    /// Forgets the plan, and returns a sentence for each part of it without an effect.
    func takeMistakes() -> [String] {
        let unused = pins.withLock { pins in
            defer { pins.planned = [] }
            return pins.planned
        }
        return person.takeMistakes() + person.desk.takeMistakes()
            + unused.map { "\($0.place): no request asked for the PIN of \(title); remove it, or require verification" }
    }
}

extension SimulatedDevice {
    fileprivate var pinProtocol: PINUVAuthProtocol {
        profile.authenticator.pinUvAuthProtocols.first ?? .two
    }
}
