public import Biometrics
public import COSE
public import Faults
public import VirtualAuthenticator

/// A whole simulated device: the authenticator with its sensor, and the secure storage its apps use.
public final class SimulatedDevice: Sendable {
    /// What kind of device it is.
    public let profile: DeviceProfile
    /// Its authenticator, which answers CTAP2.
    public let authenticator: VirtualAuthenticator
    /// The same authenticator as its transports reach it: its answers may be changed by faults on their way out.
    public let ctap: FaultyDevice
    /// Where its apps keep their secrets.
    public let secureStorage: SecureStorage
    /// What happened in it.
    public let log: EventLog

    /// A new device of a kind, just powered up.
    ///
    /// - Parameter wait: returns at a time of the device's clock, for answers that come late on purpose.
    public init(
        profile: DeviceProfile, time: any TimeSource, random: any RandomSource, person: any Person,
        signing: COSE.SigningMode = .randomized, log: EventLog = EventLog(),
        wait: @escaping @Sendable (_ until: Duration) async -> Void = { _ in }
    ) {
        self.profile = profile
        self.log = log
        authenticator = VirtualAuthenticator(
            configuration: profile.authenticator,
            faults: profile.faults.compactMap { if case .authenticator(let fault) = $0 { fault } else { nil } },
            environment: Environment(time: time, random: random, person: person, signing: signing, record: log.append),
            gate: profile.gate)
        ctap = FaultyDevice(authenticator, wait: { await wait(time.now() + $0) })
        secureStorage = SecureStorage(authenticator: authenticator)
        for case .ctap(let fault) in profile.faults { ctap.arm(fault) }
    }

    /// Enrols another finger or face.
    ///
    /// - Throws: ``GateError`` when the sensor cannot take it.
    public func enrol(_ name: String) async throws(GateError) {
        let event = try await authenticator.changeGate { gate, now throws(GateError) in
            let used = gate.sensor?.templates.compactMap(\.id.first) ?? []
            let id = (UInt8(1)...UInt8.max).first { !used.contains($0) } ?? 0
            return try gate.enrol(BiometricTemplate(id: [id], name: name), at: now)
        }
        guard event != nil else { throw .sensorAbsent }
    }

    /// Removes one enrolled finger or face by its name.
    ///
    /// - Throws: ``GateError/noSuchTemplate(id:)`` when nobody is enrolled under it.
    public func removeTemplate(named name: String) async throws(GateError) {
        let event = try await authenticator.changeGate { gate, now throws(GateError) in
            let id = gate.sensor?.templates.first { $0.name == name }?.id
            return try gate.removeTemplate(id: id ?? [], at: now)
        }
        guard event != nil else { throw .sensorAbsent }
    }

    /// Removes everybody enrolled.
    public func removeAllTemplates() async {
        _ = try? await authenticator.changeGate { gate, now in gate.removeAllTemplates(at: now) }
    }

    /// Enters the device credential at the lock screen.
    public func unlock(correctly: Bool) async -> GateEvent? {
        try? await authenticator.changeGate { gate, now in
            gate.enterDeviceCredential(correct: correctly, at: now)
        }
    }

    /// Breaks, hides or repairs the sensor.
    public func setSensor(_ availability: SensorAvailability) async {
        _ = try? await authenticator.changeGate { gate, now in gate.setAvailability(availability, at: now) }
    }
}
