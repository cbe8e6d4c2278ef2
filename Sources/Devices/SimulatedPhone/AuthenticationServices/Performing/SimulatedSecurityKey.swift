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
        (self.person, executor) = (person, phone.executor)
    }

    /// The name of the profile.
    public var profile: String { device.profile.name }

    /// The key's display name, such as `YubiKey 5 NFC, firmware 5.7`.
    public var title: String { device.profile.title }

    /// Sets the PIN of a key without one; the user knows it.
    ///
    /// - Throws: ``PhoneRefusal`` for a key that already has a PIN or does not support one, and for a PIN that the
    ///   key's policy refuses.
    public func setPIN(_ pin: String) throws {
        do {
            try executor.wait { [device] in
                try await PINClient(AuthenticatorClient(device.authenticator), protocol: device.pinProtocol) {
                    SystemRandomSource().bytes($0)
                }.setPIN(pin)
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
