internal import Biometrics
internal import CTAP
internal import DeviceProfiles
internal import Foundation
package import SimulatedDevice
internal import VirtualAuthenticator

/// A running device's status, a member of ``DeviceAnswer`` and ``DeviceReport``.
package struct DeviceStatus: Hashable, Sendable, Codable {
    package var name: String
    package var profile: String
    /// The path of its state file; nil for a device without a state file.
    package var stateFile: String?
    package var processID: Int32
    /// The UDP port it listens on, if any.
    package var udpPort: Int?
    /// Its identity on the USB bus, if any.
    package var usb: USB?
    /// Whether it is on its NFC reader; nil for a device without a reader.
    package var isOnReader: Bool?
    /// Seconds since the last power cycle.
    package var uptimeSeconds: Double
    package var credentials: [Credential]
    package var hasClientPIN: Bool
    package var isPINSet: Bool
    /// The wrong PINs left before the PIN is blocked (CTAP 2.3 §6.5.5.2).
    package var pinRetries: Int
    /// Whether three wrong PINs in a row have blocked the PIN until a power cycle (CTAP 2.3 §6.5.5.2).
    package var needsPowerCycle: Bool
    /// The failed built-in user verifications left before it is blocked (CTAP 2.3 §6.5.5.3).
    package var uvRetries: Int
    /// The lockout's label; nil for a device without a gate.
    package var lockout: String?
    /// Seconds until a timed lockout ends.
    package var lockoutSecondsLeft: Double?
    /// The failed samples in a row at the first sensor.
    package var failedAttempts: Int
    /// The first sensor's modality and availability; nil for a device without sensors.
    package var sensor: String?
    /// The names of the templates enrolled at the first sensor.
    package var enrolled: [String]
    /// All sensors, the first one included; nil from a device of an earlier version.
    package var sensors: [Sensor]?
    /// The device credential; nil when none is set, or from a device of an earlier version.
    package var deviceCredential: DeviceCredential?
    package var faults: [String]
    /// The open prompt's request, if a prompt waits for the user.
    package var waitingFor: String?
    /// The acts told to the user for coming prompts.
    package var planned: [String]
    /// Screen, network and apps; nil for a security key.
    package var life: Life?

    /// The screen, network and apps of a phone or computer.
    package struct Life: Hashable, Sendable, Codable {
        package var screen: ScreenState
        package var network: NetworkState
        /// The state of each app: `foreground`, `background`, `killed` or `absent`.
        package var apps: [String: String]
        /// The items in secure storage; an item of another than the default app as `app/name`.
        package var items: [String]
    }

    /// A key on the USB bus.
    package struct USB: Hashable, Sendable, Codable {
        package var vendorID: UInt16
        package var productID: UInt16
        /// USB's product name.
        package var name: String
        package var isPluggedIn: Bool
        /// The path of its hidraw node, once the kernel has created it.
        package var node: String?
    }

    /// A discoverable credential.
    package struct Credential: Hashable, Sendable, Codable {
        package var relyingPartyID: String
        /// The user's account name, if given.
        package var user: String?
        package var signCount: UInt32
    }

    /// A biometric sensor.
    package struct Sensor: Hashable, Sendable, Codable {
        /// The modality, such as `face`.
        package var modality: String
        /// The availability, such as `present`.
        package var availability: String
        package var enrolled: [String]
        /// The lockout's label.
        package var lockout: String
        /// Seconds until a timed lockout ends.
        package var lockoutSecondsLeft: Double?
        /// The failed samples in a row.
        package var failedAttempts: Int
        /// The reason why the device credential must be entered before the sensor verifies; nil when it need not.
        package var credentialDue: String?
    }

    /// The credential that unlocks the device.
    package struct DeviceCredential: Hashable, Sendable, Codable {
        /// The kind, such as `passcode`.
        package var kind: String
        /// The reason why it must be entered before a sensor verifies; nil when it need not.
        package var due: String?
        package var wrongEntries: Int
        /// Seconds until the next entry is accepted; nil when it is accepted now.
        package var delaySecondsLeft: Double?
        /// Whether no entry is accepted until another credential is set.
        package var isDisabled: Bool
    }
}

extension DeviceStatus {
    /// The status of a device without transports, named like its profile.
    init(_ device: SimulatedDevice, _ snapshot: AuthenticatorSnapshot, at now: Duration) async {
        let gate = snapshot.gate
        let sensors = gate.map { gate in gate.sensors.map { Sensor($0, in: gate, at: now) } } ?? []
        let due = sensors.lazy.compactMap(\.credentialDue).first
        self.init(
            name: device.profile.name, profile: device.profile.name,
            processID: ProcessInfo.processInfo.processIdentifier, uptimeSeconds: snapshot.uptime / .seconds(1),
            credentials: snapshot.credentials.map {
                Credential(relyingPartyID: $0.relyingPartyID, user: $0.user.name, signCount: $0.signCount)
            },
            hasClientPIN: device.profile.authenticator.supportsClientPIN, isPINSet: snapshot.isPINSet,
            pinRetries: snapshot.pinRetries, needsPowerCycle: snapshot.needsPowerCycle, uvRetries: snapshot.uvRetries,
            lockout: snapshot.lockout?.label, lockoutSecondsLeft: snapshot.lockout?.secondsLeft(at: now),
            failedAttempts: gate?.consecutiveFailures ?? 0,
            sensor: gate?.sensor.map { "\($0.modality.rawValue), \($0.availability.rawValue)" },
            enrolled: gate?.sensor?.templates.map(\.name) ?? [], sensors: sensors,
            deviceCredential: gate?.deviceCredential.map { DeviceCredential($0, due: due, at: now) },
            faults: await device.armedFaults, planned: [], life: Life(device))
    }
}

extension DeviceStatus.Life {
    /// - Returns: nil for a security key.
    fileprivate init?(_ device: SimulatedDevice) {
        guard device.hasScreen else { return nil }
        let state = device.lifeState
        self.init(
            screen: state.screen, network: state.network, apps: state.apps.mapValues(\.label),
            items: device.secureStorage.ids.map(\.description))
    }
}

extension DeviceStatus.Sensor {
    fileprivate init(_ sensor: BiometricSensor, in gate: UserVerificationGate, at now: Duration) {
        let lockout = gate.lockout(of: sensor.modality, at: now)
        self.init(
            modality: sensor.modality.rawValue, availability: sensor.availability.rawValue,
            enrolled: sensor.templates.map(\.name), lockout: lockout.label,
            lockoutSecondsLeft: lockout.secondsLeft(at: now), failedAttempts: sensor.consecutiveFailures,
            credentialDue: gate.strongAuthenticationDue(for: sensor.modality, at: now)?.rawValue)
    }
}

extension DeviceStatus.DeviceCredential {
    /// - Parameter due: the reason for which a sensor demands it; the first such sensor's.
    fileprivate init(_ credential: Biometrics.DeviceCredential, due: String?, at now: Duration) {
        self.init(
            kind: credential.kind.rawValue, due: due, wrongEntries: credential.failedAttempts,
            isDisabled: credential.isDisabled)
        if let until = credential.lockedUntil, until > now { delaySecondsLeft = (until - now) / .seconds(1) }
    }
}

extension Lockout {
    fileprivate func secondsLeft(at now: Duration) -> Double? {
        if case .timed(let until) = self { (until - now) / .seconds(1) } else { nil }
    }
}
