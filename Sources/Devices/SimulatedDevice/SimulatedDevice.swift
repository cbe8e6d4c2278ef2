package import COSE
package import CTAP
package import CTAPHID
package import DeviceProfiles
package import Faults
internal import Synchronization
package import VirtualAuthenticator
package import WebAuthn

/// A simulated device: the authenticator with its sensors, the secure storage of its apps, and the state of its screen,
/// network and apps.
package final class SimulatedDevice: Sendable {
    package let profile: DeviceProfile
    /// The authenticator, which answers CTAP2.
    package let authenticator: VirtualAuthenticator
    /// The authenticator as transports reach it: armed faults change its responses.
    package let ctap: InterceptedDevice<VirtualAuthenticator>
    let ctapFaults: CTAPFaults
    /// The transport faults, for the endpoint that serves the device.
    package let transportFaults: TransportFaults
    /// The faults of its connections with computers whose QR codes it scans.
    package let connectionFaults: ConnectionFaults
    package let secureStorage: SecureStorage
    let life: DeviceLife
    package let log: EventLog
    /// The number of restores; each may change every passkey of the device.
    let restores = Atomic(0)

    /// A device that has just been powered up: a new one, or one restored from its stored state.
    ///
    /// - Parameters:
    ///   - stored: the state; nil for a new device.
    ///   - storage: keeps the device's state; nil for a device whose state ends with its process.
    ///   - executor: the executor of the tasks that the device starts; nil for the default one.
    ///   - wait: returns at a time of the device's clock, for late responses and for sensors with a latency.
    /// - Throws: `StoredAuthenticatorError` or a decoding error for an unreadable state.
    package init(
        profile: DeviceProfile, restoring stored: StoredDevice? = nil, time: any TimeSource, random: any RandomSource,
        user: any User, signing: COSE.SigningMode = .randomized, log: EventLog = EventLog(),
        storage: (any DeviceStorage)? = nil, executor: (any TaskExecutor)? = nil,
        wait: @escaping @Sendable (_ until: Duration) async -> Void = { _ in }
    ) throws {
        let state = try stored?.life.map { try LifeState(encoded: $0) } ?? LifeState()
        let life = DeviceLife(
            time: time, hasScreen: profile.authenticator.isPlatform, storage: storage, restoring: state,
            written: stored?.life, record: log.append)
        var environment = Environment(
            time: time, random: random,
            user: DelayedUser(user, latencies: profile.latencies, time: time, random: random, waitUntil: wait),
            signing: signing, storage: storage,
            record: { event in
                log.append(event)
                life.observe(event)
            })
        environment.executor = executor
        environment.admitsDeviceCredential = { !life.refusesPasscode() }
        let faults = profile.faults.map(\.change)
        let own = faults.compactMap { if case .authenticator(let fault) = $0 { fault } else { nil } }
        authenticator =
            if let stored {
                try VirtualAuthenticator(
                    configuration: profile.authenticator, faults: own, environment: environment,
                    restoring: stored.authenticator, arrivalDelay: .seconds(state.passkeyDelaySeconds))
            } else {
                VirtualAuthenticator(
                    configuration: profile.authenticator, faults: own, environment: environment, gate: profile.gate)
            }
        let secrets = try stored?.storedSecrets(random: random) ?? [:]
        secureStorage = SecureStorage(
            authenticator: authenticator, life: life, platform: profile.platform, storage: storage, secrets: secrets)
        try secureStorage.keepSealed(stored?.unsealedIDs ?? [])
        self.profile = profile
        self.life = life
        self.log = log
        let record = log.recorder(time)
        ctapFaults = CTAPFaults(wait: { await wait(time.now() + $0) }, record: record)
        ctap = ctapFaults.changing(authenticator)
        transportFaults = TransportFaults { record(.faultApplied($0.name)) }
        connectionFaults = ConnectionFaults { record(.faultApplied($0.spelling)) }
        for fault in faults {
            switch fault {
            case .authenticator: break
            case .ctap(let fault): ctapFaults.arm(fault)
            case .transport(let fault): transportFaults.arm(fault)
            case .platform(let fault): life.faults.arm(fault)
            case .hybrid(let fault): connectionFaults.arm(fault)
            }
        }
        life.whenErased { [weak secureStorage] in
            guard let secureStorage else { return }
            try secureStorage.removeAll(secureStorage.ids)
        }
    }

    /// The device as clients reach it over one transport, `usb` or `nfc`, for the rules that depend on it.
    package func ctap(over transport: AuthenticatorTransport) -> any CTAPDevice & PowerCyclable {
        ctapFaults.changing(authenticator.reached(over: transport))
    }

    package var u2f: (any U2FDevice)? { profile.authenticator.supportsU2F ? authenticator : nil }

    package func u2f(over transport: AuthenticatorTransport) -> (any U2FDevice)? {
        profile.authenticator.supportsU2F ? authenticator.reached(over: transport) : nil
    }

    /// The device's whole state, for a snapshot or a clone.
    package func exportState() async throws -> StoredDevice {
        await secureStorage.destroyInvalidatedKeys()
        let secrets = secureStorage.all
        return StoredDevice(
            authenticator: try await authenticator.exportState(),
            secrets: try secrets.mapValues { try $0.item.encoded() },
            vault: secrets.compactMapValues(\.key), life: life.written)
    }

    /// Replaces the device's state by a stored state of this device or another of its kind, and cycles the power.
    ///
    /// - Throws: an error for an unreadable state, which changes nothing; or the storage's error.
    package func restore(_ stored: StoredDevice) async throws {
        let secrets = try stored.storedSecrets(random: authenticator.environment.random)
        let state = try stored.life.map { try LifeState(encoded: $0) } ?? LifeState()
        try await authenticator.restore(stored.authenticator)
        try secureStorage.replaceAll(secrets, life: stored.life)
        life.replace(state, written: stored.life)
        await authenticator.setArrivalDelay(.seconds(state.passkeyDelaySeconds))
        restores.add(1, ordering: .relaxed)
    }
}
