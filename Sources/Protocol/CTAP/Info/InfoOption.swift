/// The options of authenticatorGetInfo, by the specification's identifiers (CTAP 2.3 §6.4, option IDs).
public enum InfoOption: String, CaseIterable, Hashable, Sendable {
    /// The device is built into its client device. Absent: false.
    case plat
    /// The device stores discoverable credentials. Absent: false.
    case rk
    /// A PIN is set. Absent: the device has no client PIN.
    case clientPin
    /// The device tests user presence. Absent: true.
    case up
    /// Built-in user verification is set up. Absent: the device has none.
    case uv
    /// The device issues tokens with permissions.
    case pinUvAuthToken
    /// Tokens obtained by PIN lack the permissions `mc` and `ga`.
    case noMcGaPermissionsWithClientPin
    /// The device stores large blobs.
    case largeBlobs
    /// Enterprise attestation is on. Absent: the device has none.
    case ep
    /// A fingerprint is enrolled. Absent: the device has no authenticatorBioEnrollment.
    case bioEnroll
    /// A fingerprint is enrolled (preview command 0x40). Absent: the device does not have that command.
    case userVerificationMgmtPreview
    /// Built-in user verification can give tokens for authenticatorBioEnrollment.
    case uvBioEnroll
    /// The device has authenticatorConfig.
    case authnrCfg
    /// Built-in user verification can give tokens for authenticatorConfig.
    case uvAcfg
    /// The device has authenticatorCredentialManagement.
    case credMgmt
    /// The device issues persistent tokens that read credential management (CTAP 2.2).
    case perCredMgmtRO
    /// The device has the preview command 0x41 of credential management.
    case credentialMgmtPreview
    /// The device has setMinPINLength of authenticatorConfig.
    case setMinPINLength
    /// Non-discoverable credentials need no user verification.
    case makeCredUvNotRqd
    /// User verification is always required. Absent: the device has no such setting.
    case alwaysUv

    /// The value an absent option stands for, where the specification gives one.
    package var absentValue: Bool? {
        switch self {
        case .plat, .rk: false
        case .up: true
        default: nil
        }
    }

    /// The value absence amounts to when two answers are compared: an absent ability is false.
    package var impliedValue: Bool? {
        switch self {
        case .pinUvAuthToken, .noMcGaPermissionsWithClientPin, .largeBlobs, .uvBioEnroll, .authnrCfg, .uvAcfg,
            .credMgmt, .perCredMgmtRO, .credentialMgmtPreview, .setMinPINLength, .makeCredUvNotRqd:
            false
        default: absentValue
        }
    }

    /// Whether the value depends on the device's set-up, so that only its presence distinguishes models.
    package var dependsOnSetUp: Bool {
        switch self {
        case .clientPin, .uv, .bioEnroll, .userVerificationMgmtPreview, .ep: true
        default: false
        }
    }

    package func meaning(of value: Bool) -> String {
        let (whenTrue, whenFalse) = meanings
        return value ? whenTrue : whenFalse
    }

    private var meanings: (String, String) {
        switch self {
        case .plat: ("built into the device it is used with", "can be carried to another device")
        case .rk: ("keeps discoverable credentials (passkeys)", "keeps no discoverable credentials")
        case .clientPin: ("a PIN is set", "can have a PIN; none is set")
        case .up: ("asks for a touch", "cannot ask for a touch")
        case .uv: ("built-in user verification is set up", "built-in user verification is not set up")
        case .pinUvAuthToken: ("gives tokens with permissions", "gives tokens without permissions only")
        case .noMcGaPermissionsWithClientPin:
            (
                "the PIN gives no tokens for registering and signing in",
                "the PIN gives tokens for registering and signing in"
            )
        case .largeBlobs: ("stores large blobs", "stores no large blobs")
        case .ep: ("enterprise attestation is on", "enterprise attestation is off")
        case .bioEnroll: ("a fingerprint is enrolled", "can enrol fingerprints; none is enrolled")
        case .userVerificationMgmtPreview:
            (
                "a fingerprint is enrolled (preview command 0x40)",
                "can enrol fingerprints; none is enrolled (preview command 0x40)"
            )
        case .uvBioEnroll: ("built-in verification gives tokens for enrolling", "enrolling needs the PIN")
        case .authnrCfg: ("can be configured (authenticatorConfig)", "cannot be configured")
        case .uvAcfg: ("built-in verification gives tokens for configuring", "configuring needs the PIN")
        case .credMgmt: ("its passkeys can be listed and deleted", "its passkeys cannot be listed")
        case .perCredMgmtRO:
            (
                "gives tokens for listing passkeys that survive a power cycle",
                "gives no tokens that survive a power cycle"
            )
        case .credentialMgmtPreview:
            ("its passkeys can be listed and deleted (preview command 0x41)", "its passkeys cannot be listed")
        case .setMinPINLength: ("the shortest PIN can be made longer", "the shortest PIN cannot be changed")
        case .makeCredUvNotRqd:
            (
                "makes non-discoverable credentials without user verification",
                "makes credentials with user verification only"
            )
        case .alwaysUv: ("always requires user verification", "can always require user verification; it is off")
        }
    }
}
