public import Biometrics
public import Faults
public import VirtualAuthenticator

/// A device somebody could own, as a file in `profiles/` describes it.
public struct DeviceProfile: Sendable {
    /// The name used on the command line and in scenarios.
    public let name: String
    /// One line that says what it is.
    public let title: String
    /// A few sentences about how it behaves.
    public let summary: String
    /// What sort of device it is.
    public let kind: DeviceKind
    /// The names of the profiles it extends, nearest first.
    public let bases: [String]
    /// Whose words for errors an app on it hears.
    public let platform: Platform
    /// The same with what the profile chooses where sources disagree.
    public let faces: FaceVocabulary
    /// How it shows on the USB bus; nil when the file does not say.
    public let usb: USBIdentity?
    /// The name of the real key it stands for, a file in `hardware/keys/`; nil when there is none.
    public let hardware: String?
    /// The authenticator.
    public let authenticator: AuthenticatorConfiguration
    /// The sensors, the one apps know the device by first; none for a device without.
    public let sensors: [BiometricSensor]
    /// What unlocks the device; nil when nothing is set up.
    public let deviceCredential: DeviceCredential.Kind?
    /// How failed attempts count; nil for a device without built-in user verification.
    public let lockout: GatePolicy?
    /// What the device does wrong from the start, as its makers' keys are known to; see ``Fault``.
    public let faults: [Fault]
    /// The same as the file writes them, such as `status:OTHER on Selection`.
    public let faultTexts: [String]
    /// Settings that no public source confirms, by their path in the file.
    public let unverified: [String]
    /// Where the facts come from.
    public let sources: [String]
    /// The file's text, which a device's stored state keeps, so that it can come back where the file is not; with what it
    /// extends merged into it.
    public let text: String

    /// The first sensor; nil for a device without one.
    public var sensor: BiometricSensor? { sensors.first }

    /// The user-verification gate of a new device of this kind.
    public var gate: UserVerificationGate? {
        lockout.map {
            UserVerificationGate(
                policy: $0, sensors: sensors, deviceCredential: deviceCredential.map { DeviceCredential(kind: $0) })
        }
    }
}

extension DeviceProfile {
    /// The person as the device sees them: through its sensors, which may take their time.
    func person(
        _ person: any Person, time: any TimeSource, random: any RandomSource,
        wait: @escaping @Sendable (Duration) async -> Void
    ) -> any Person {
        var latencies: [BiometricModality: SensorLatency] = [:]
        for sensor in sensors { latencies[sensor.modality] = sensor.latency }
        guard !latencies.isEmpty else { return person }
        return UnhurriedSensor(person, latencies: latencies, time: time, random: random, waitUntil: wait)
    }
}
