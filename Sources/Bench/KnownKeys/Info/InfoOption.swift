/// The options of getInfo and what their three states mean (CTAP 2.3 §6.4, option IDs).
enum InfoOption {
    /// What a value of an option means; nil for options no specification names.
    static func meaning(of identifier: String, _ value: Bool) -> String? {
        meanings[identifier].map { value ? $0.whenTrue : $0.whenFalse }
    }

    /// What absence means, where the specification gives a default.
    static let defaults = ["plat": false, "rk": false, "up": true]

    /// What absence amounts to when two answers are compared: an option that says what a device can do is false then.
    static func impliedValue(of identifier: String) -> Bool? {
        if let value = defaults[identifier] { return value }
        return saysWhatItCanDo.contains(identifier) ? false : nil
    }

    private static let saysWhatItCanDo: Set<String> = [
        "pinUvAuthToken", "noMcGaPermissionsWithClientPin", "largeBlobs", "uvBioEnroll", "authnrCfg", "uvAcfg",
        "credMgmt",
        "perCredMgmtRO", "credentialMgmtPreview", "setMinPINLength", "makeCredUvNotRqd",
    ]

    /// Options whose value says how the device is set up; only whether they are there tells models apart.
    static let dependsOnSetUp: Set<String> = ["clientPin", "uv", "bioEnroll", "userVerificationMgmtPreview", "ep"]

    /// The options a specification names.
    static var known: Set<String> { Set(meanings.keys) }

    private static let meanings: [String: (whenTrue: String, whenFalse: String)] = [
        "plat": ("built into the device it is used with", "can be carried to another device"),
        "rk": ("keeps discoverable credentials (passkeys)", "keeps no discoverable credentials"),
        "clientPin": ("a PIN is set", "can have a PIN, none is set"),
        "up": ("asks for a touch", "cannot ask for a touch"),
        "uv": ("verifies its user itself and is set up for it", "can verify its user itself, nobody is enrolled"),
        "pinUvAuthToken": ("gives tokens with permissions", "gives tokens without permissions only"),
        "noMcGaPermissionsWithClientPin": (
            "the PIN gives no tokens for registering and signing in",
            "the PIN gives tokens for registering and signing in"
        ),
        "largeBlobs": ("stores large blobs", "stores no large blobs"),
        "ep": ("enterprise attestation is on", "can attest for an enterprise, which is off"),
        "bioEnroll": ("a fingerprint is enrolled", "can enrol fingerprints, none is enrolled"),
        "userVerificationMgmtPreview": (
            "a fingerprint is enrolled (preview command 0x40)",
            "can enrol fingerprints, none is enrolled (preview command 0x40)"
        ),
        "uvBioEnroll": (
            "built-in verification gives tokens for enrolling", "enrolling needs the PIN"
        ),
        "authnrCfg": ("can be configured (authenticatorConfig)", "cannot be configured"),
        "uvAcfg": ("built-in verification gives tokens for configuring", "configuring needs the PIN"),
        "credMgmt": ("its passkeys can be listed and deleted", "its passkeys cannot be listed"),
        "perCredMgmtRO": (
            "gives tokens for listing passkeys that outlive the power", "gives no tokens that outlive the power"
        ),
        "credentialMgmtPreview": (
            "its passkeys can be listed and deleted (preview command 0x41)", "its passkeys cannot be listed"
        ),
        "setMinPINLength": ("the shortest PIN can be made longer", "the shortest PIN cannot be changed"),
        "makeCredUvNotRqd": (
            "makes non-discoverable credentials without user verification",
            "makes credentials with user verification only"
        ),
        "alwaysUv": ("always demands user verification", "can always demand user verification, and does not"),
    ]
}
