package import Biometrics
internal import COSE

extension SecureStorage {
    /// The verification that opens an item: a key's access control.
    package enum Access: String, Sendable, CaseIterable, Codable {
        case none
        /// A template enrolled when the item was stored (`biometryCurrentSet`; Android's keys for biometrics alone).
        case currentSet = "current-set"
        /// A template enrolled when the item is read (`biometryAny`; `setInvalidatedByBiometricEnrollment(false)`).
        case anyBiometry = "any-biometry"
        /// An enrolled template or the passcode (`userPresence`; `DEVICE_CREDENTIAL` besides biometrics).
        case biometryOrPasscode = "biometry-or-passcode"
        /// The passcode (`devicePasscode`; `DEVICE_CREDENTIAL` alone).
        case passcode
        /// A template as for ``currentSet``, or the passcode (Apple's `biometryCurrentSet`, `or`, `devicePasscode`).
        case currentSetOrPasscode = "current-set-or-passcode"
        /// A template as for ``currentSet``, and then the passcode (`biometryCurrentSet`, `and`, `devicePasscode`).
        case currentSetAndPasscode = "current-set-and-passcode"

        /// The prompts that open it, in order; a later one is shown after the earlier ones succeed.
        package var prompts: [AppVerification] {
            switch self {
            case .none: []
            case .currentSet, .anyBiometry: [.biometrics]
            case .biometryOrPasscode, .currentSetOrPasscode: [.biometricsOrPasscode]
            case .passcode: [.passcode]
            case .currentSetAndPasscode: [.biometrics, .passcode]
            }
        }

        package var admitsBiometry: Bool { prompts.contains { $0 != .passcode } }
        var admitsPasscode: Bool { prompts.contains { $0 != .biometrics } }
        /// Whether a change of the templates destroys it.
        var isBoundToTemplates: Bool { self == .currentSet || self == .currentSetAndPasscode }
        /// Whether it combines two constraints, as only Apple's access control does.
        var isCombination: Bool { self == .currentSetOrPasscode || self == .currentSetAndPasscode }
    }

    /// The times an item is available at all (`kSecAttrAccessible…`; `setUnlockedDeviceRequired`).
    package enum Accessibility: String, Sendable, CaseIterable, Codable {
        /// While the screen is unlocked.
        case whenUnlocked = "when-unlocked"
        /// From the first unlock after a start.
        case afterFirstUnlock = "after-first-unlock"
        /// While the screen is unlocked, on a device with a passcode; removing the passcode destroys the item.
        case whenPasscodeSet = "when-passcode-set"
        case always
    }

    /// The algorithm of a key.
    package enum KeyAlgorithm: String, Sendable, CaseIterable, Codable {
        /// ECDSA over P-256 with SHA-256, the only keys of a Secure Enclave.
        case es256 = "ES256"
        /// RSASSA-PKCS1-v1_5 with SHA-256 and 2048 bits.
        case rs256 = "RS256"

        var algorithm: COSE.Algorithm {
            switch self {
            case .es256: .es256
            case .rs256: .rs256
            }
        }
    }

    /// An item's protection.
    package struct Protection: Hashable, Sendable, Codable {
        package var access: Access
        /// The times it is available; nil for the platform's default, which storing replaces.
        package var accessibility: Accessibility?
        /// The weakest biometric the app accepts; keys require class 3 (Android CDD 7.3.10).
        package var strength: StrengthClass
        /// The seconds after a verification of the user in which it opens without a prompt; nil prompts each time.
        package var validitySeconds: Int?
        /// Whether it moves to a new device, as an item without `ThisDeviceOnly` in a backup.
        package var migrates: Bool
        /// Whether it is a key that signs; nil for a secret.
        package internal(set) var isKey: Bool?
        /// A key's algorithm; nil for ES256, and for a secret.
        var algorithm: KeyAlgorithm?
        /// Whether it also needs a password of the app (`applicationPassword`); nil for no.
        package var hasPassword: Bool?

        /// Whether a backup can have it: no item with access control, with a password or bound to the passcode is in one.
        package var isInBackups: Bool {
            migrates && access == .none && hasPassword != true && accessibility != .whenPasscodeSet
        }

        package init(
            _ access: Access = .none, _ accessibility: Accessibility? = nil,
            strength: StrengthClass = .class3, validitySeconds: Int? = nil, migrates: Bool = false
        ) {
            (self.access, self.accessibility, self.strength) = (access, accessibility, strength)
            (self.validitySeconds, self.migrates) = (validitySeconds, migrates)
        }
    }
}
