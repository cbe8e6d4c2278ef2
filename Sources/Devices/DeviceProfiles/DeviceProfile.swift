package import Biometrics
package import Documents
package import Faults
package import PlatformErrors
package import VirtualAuthenticator

/// A kind of device, as a file in `profiles/` describes it.
package struct DeviceProfile: Sendable {
    /// The name used on the command line and in scenarios.
    package internal(set) var name = ""
    package internal(set) var title = ""
    package internal(set) var summary = ""
    package internal(set) var kind = DeviceKind.testDevice
    /// The names of the profiles it extends, nearest first.
    package internal(set) var bases: [String] = []
    package internal(set) var platform = Platform.securityKey
    /// The platform's error codes, with the profile's choices where sources disagree.
    package internal(set) var platformErrors = PlatformErrorVocabulary(platform: .securityKey)
    /// The identity on the USB bus; nil for a profile without one.
    package internal(set) var usb: USBIdentity?
    /// The name of the real key it stands for, a file in `hardware/keys/`; nil for no real key.
    package internal(set) var hardware: String?
    package internal(set) var authenticator = AuthenticatorConfiguration()
    /// The sensors; the first is the one that apps see.
    package internal(set) var sensors: [BiometricSensor] = []
    /// The kind of credential that unlocks the device; nil for none.
    package internal(set) var deviceCredential: DeviceCredential.Kind?
    /// The rules for failed attempts; nil for a device without built-in user verification.
    package internal(set) var lockout: GatePolicy?
    /// The rules of its passkey provider for documents of passkeys; ``exchange`` has those with an effect.
    package internal(set) var passkeyExchange: PasskeyExchange?
    /// Whether the system has a protection of stolen devices.
    package internal(set) var offersTheftProtection = false
    /// The faults of the device from the start.
    package internal(set) var faults: [Fault] = []
    /// The settings that no public source confirms, by their path in the file.
    package internal(set) var unverified: [String] = []
    package internal(set) var sources: [String] = []
    /// The text of the merged profile.
    ///
    /// A device's stored state keeps it, so that the device can be restored without the file.
    package internal(set) var text = ""

    /// Reads a merged profile.
    ///
    /// - Parameter text: the merged profile as a document.
    package init(_ inheritance: ProfileInheritance, text: String) throws(SourceError) {
        bases = inheritance.bases
        self.text = text
        try Self.section.read(inheritance.root, into: &self)
    }

    package var sensor: BiometricSensor? { sensors.first }

    /// The user-verification gate of a new device of this kind.
    package var gate: UserVerificationGate? {
        lockout.map {
            UserVerificationGate(
                policy: $0, sensors: sensors, deviceCredential: deviceCredential.map { DeviceCredential(kind: $0) })
        }
    }
}
