package import Biometrics
package import Faults
package import PlatformErrors
package import VirtualAuthenticator

/// A device somebody could own, as a file in `profiles/` describes it.
package struct DeviceProfile: Sendable {
    /// The name used on the command line and in scenarios.
    package let name: String
    /// One line that says what it is.
    package let title: String
    /// A few sentences about how it behaves.
    package let summary: String
    /// What sort of device it is.
    package let kind: DeviceKind
    /// The names of the profiles it extends, nearest first.
    package let bases: [String]
    /// Whose words for errors an app on it hears.
    package let platform: Platform
    /// The same with what the profile chooses where sources disagree.
    package let platformErrors: PlatformErrorVocabulary
    /// How it shows on the USB bus; nil when the file does not say.
    package let usb: USBIdentity?
    /// The name of the real key it stands for, a file in `hardware/keys/`; nil when there is none.
    package let hardware: String?
    /// The authenticator.
    package let authenticator: AuthenticatorConfiguration
    /// The sensors, the one apps know the device by first; none for a device without.
    package let sensors: [BiometricSensor]
    /// What unlocks the device; nil when nothing is set up.
    package let deviceCredential: DeviceCredential.Kind?
    /// How failed attempts count; nil for a device without built-in user verification.
    package let lockout: GatePolicy?
    /// What the device does wrong from the start, as its makers' keys are known to; see ``Fault``.
    package let faults: [Fault]
    /// Settings that no public source confirms, by their path in the file.
    package let unverified: [String]
    /// Where the facts come from.
    package let sources: [String]
    /// The file's text, which a device's stored state keeps, so that it can come back where the file is not; with what it
    /// extends merged into it.
    package let text: String

    /// The first sensor; nil for a device without one.
    package var sensor: BiometricSensor? { sensors.first }

    /// The user-verification gate of a new device of this kind.
    package var gate: UserVerificationGate? {
        lockout.map {
            UserVerificationGate(
                policy: $0, sensors: sensors, deviceCredential: deviceCredential.map { DeviceCredential(kind: $0) })
        }
    }
}
