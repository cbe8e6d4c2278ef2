package import Biometrics
package import Documents
package import Faults
package import PlatformErrors
package import VirtualAuthenticator

/// A device somebody could own, as a file in `profiles/` describes it.
package struct DeviceProfile: Sendable {
    /// The name used on the command line and in scenarios.
    package internal(set) var name = ""
    /// One line that says what it is.
    package internal(set) var title = ""
    /// A few sentences about how it behaves.
    package internal(set) var summary = ""
    /// What sort of device it is.
    package internal(set) var kind = DeviceKind.testDevice
    /// The names of the profiles it extends, nearest first.
    package internal(set) var bases: [String] = []
    /// Whose words for errors an app on it hears.
    package internal(set) var platform = Platform.securityKey
    /// The same with what the profile chooses where sources disagree.
    package internal(set) var platformErrors = PlatformErrorVocabulary(platform: .securityKey)
    /// How it shows on the USB bus; nil when the file does not say.
    package internal(set) var usb: USBIdentity?
    /// The name of the real key it stands for, a file in `hardware/keys/`; nil when there is none.
    package internal(set) var hardware: String?
    /// The authenticator.
    package internal(set) var authenticator = AuthenticatorConfiguration()
    /// The sensors, the one apps know the device by first; none for a device without.
    package internal(set) var sensors: [BiometricSensor] = []
    /// What unlocks the device; nil when nothing is set up.
    package internal(set) var deviceCredential: DeviceCredential.Kind?
    /// How failed attempts count; nil for a device without built-in user verification.
    package internal(set) var lockout: GatePolicy?
    /// What the device does wrong from the start, as its makers' keys are known to; see ``Fault``.
    package internal(set) var faults: [Fault] = []
    /// Settings that no public source confirms, by their path in the file.
    package internal(set) var unverified: [String] = []
    /// Where the facts come from.
    package internal(set) var sources: [String] = []
    /// The file's text, which a device's stored state keeps, so that it can come back where the file is not; with what it
    /// extends merged into it.
    package internal(set) var text = ""

    /// Reads a profile file, and those it extends.
    ///
    /// - Parameters:
    ///   - text: the YAML.
    ///   - file: its path, for errors.
    ///   - extendsByNameOnly: whether it may extend profiles of the program's library only, and read no other file.
    /// - Throws: ``SourceError`` with the line and what was expected there.
    package init(parsing text: String, file: String, extendsByNameOnly: Bool = false) throws(SourceError) {
        let lineage = try ProfileLineage(parsing: text, file: file, extendsByNameOnly: extendsByNameOnly)
        bases = lineage.bases
        self.text = try lineage.bases.isEmpty ? text : lineage.root.text()
        try Self.section.read(lineage.root, into: &self)
    }

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
