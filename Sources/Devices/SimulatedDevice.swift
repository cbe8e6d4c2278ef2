public import COSE
public import CTAP
public import CTAPHID
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
    /// What goes wrong between the device and its clients, for the endpoint it is served by.
    public let transport: TransportFaults
    /// Where its apps keep their secrets.
    public let secureStorage: SecureStorage
    /// What happened in it.
    public let log: EventLog

    /// A new device of a kind, just powered up.
    ///
    /// - Parameters:
    ///   - storage: where it keeps what must survive; nil for a device that forgets with its process.
    ///   - wait: returns at a time of the device's clock, for answers that come late on purpose and for sensors
    ///     that take their time.
    public convenience init(
        profile: DeviceProfile, time: any TimeSource, random: any RandomSource, person: any Person,
        signing: COSE.SigningMode = .randomized, log: EventLog = EventLog(), storage: (any DeviceStorage)? = nil,
        wait: @escaping @Sendable (_ until: Duration) async -> Void = { _ in }
    ) {
        let authenticator = VirtualAuthenticator(
            configuration: profile.authenticator,
            faults: profile.authenticatorFaults,
            environment: Environment(
                time: time, random: random, person: profile.person(person, time: time, random: random, wait: wait),
                signing: signing, storage: storage, record: log.append),
            gate: profile.gate)
        self.init(
            profile, authenticator,
            SecureStorage(authenticator: authenticator, storage: storage, record: log.recorder(time)),
            time: time, log: log, wait: wait)
    }

    /// A device that comes back with what it remembered, just powered up.
    ///
    /// - Throws: `StoredAuthenticatorError` or a decoding error for a state that cannot be read.
    public convenience init(
        profile: DeviceProfile, restoring stored: StoredDevice, time: any TimeSource, random: any RandomSource,
        person: any Person, signing: COSE.SigningMode = .randomized, log: EventLog = EventLog(),
        storage: (any DeviceStorage)? = nil,
        wait: @escaping @Sendable (_ until: Duration) async -> Void = { _ in }
    ) throws {
        let authenticator = try VirtualAuthenticator(
            configuration: profile.authenticator, faults: profile.authenticatorFaults,
            environment: Environment(
                time: time, random: random, person: profile.person(person, time: time, random: random, wait: wait),
                signing: signing, storage: storage, record: log.append),
            restoring: stored.authenticator)
        let secureStorage = SecureStorage(
            authenticator: authenticator, storage: storage, items: try stored.secretItems(),
            record: log.recorder(time))
        self.init(profile, authenticator, secureStorage, time: time, log: log, wait: wait)
    }

    private init(
        _ profile: DeviceProfile, _ authenticator: VirtualAuthenticator, _ secureStorage: SecureStorage,
        time: any TimeSource, log: EventLog, wait: @escaping @Sendable (_ until: Duration) async -> Void
    ) {
        self.profile = profile
        self.authenticator = authenticator
        self.secureStorage = secureStorage
        self.log = log
        ctap = FaultyDevice(
            authenticator, wait: { await wait(time.now() + $0) },
            record: log.recorder(time))
        let record = log.recorder(time)
        transport = TransportFaults { record(.faultApplied($0.name)) }
        armOwnFaults()
    }

    /// The device as clients reach it over one transport, `usb` or `nfc`, for the rules that depend on it.
    public func ctap(over transport: String) -> any CTAPDevice & PowerCyclable {
        ctap.reaching(authenticator.reached(over: transport))
    }

    /// What answers U2F messages; nil for a device that does not.
    public var u2f: (any U2FDevice)? { profile.authenticator.supportsU2F ? authenticator : nil }

    /// What answers U2F messages over one transport; nil for a device that does not.
    public func u2f(over transport: String) -> (any U2FDevice)? {
        profile.authenticator.supportsU2F ? authenticator.reached(over: transport) : nil
    }

    /// Everything the device remembers: for a snapshot, or a clone.
    public func exportState() async throws -> StoredDevice {
        StoredDevice(authenticator: try await authenticator.exportState(), secrets: try secureStorage.export())
    }

    /// Makes the device what it was, or what another of its kind was, when `stored` was taken; the power is cycled.
    ///
    /// - Throws: an error for a state that cannot be read, which changes nothing, or when storage cannot be written.
    public func restore(_ stored: StoredDevice) async throws {
        let items = try stored.secretItems()
        try await authenticator.restore(stored.authenticator)
        try secureStorage.replaceAll(items)
    }
}
