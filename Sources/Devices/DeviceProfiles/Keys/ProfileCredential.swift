internal import Biometrics
internal import Documents

/// `device-credential`: a kind alone, or a mapping with the effects of wrong entries.
struct ProfileCredential: Sendable {
    private(set) var kind = DeviceCredential.Kind.pin
    /// The effects of wrong entries; nil for a kind alone.
    private(set) var lockout: CredentialLockoutPolicy?
    private var policy = CredentialLockoutPolicy()

    private typealias Key = DocumentKey<ProfileCredential>

    static let form: Form<ProfileCredential> = .either(
        Form<DeviceCredential.Kind>.choice.map { ProfileCredential(kind: $0) },
        or: .mapping(section, from: ProfileCredential()), when: \.isMapping)

    private static let section: DocumentSection<ProfileCredential> = DocumentSection {
        Key("kind", \.kind, .choice, "The kind of credential.", .required)
        Key(
            "delays", Form.list(of: .mapping(delay, from: CredentialLockoutPolicy.Delay(failures: 1, delay: .zero))),
            "The delays after wrong entries in a row, counted in prompts and on the lock screen together; the last one repeats."
        ) { credential, delays, place in
            for (delay, item) in zip(delays, try place.items()) {
                credential.policy.delays.append(delay)
                // Checked one by one, so that the error names the line of the wrong one.
                do { try credential.policy.validate() } catch { throw item.error("\(error)") }
            }
        }
        Key(
            "permanent-at", \.policy.permanentAt, .number(checkedByModel: 1...Int(Int32.max)),
            "The wrong entry in a row after which the credential is never accepted again.")
        Key(
            "permanently", Form.named([("disabled", false), ("erased", true)]),
            "The effect of `permanent-at`: `disabled` until another credential is set; `erased`: the device erases itself, with all templates, the credential, its passkeys and its apps' data."
        ) { credential, erases, place in
            guard credential.policy.permanentAt != nil else {
                throw place.error("has no effect without permanent-at; add permanent-at, or remove this key")
            }
            credential.policy.permanentErases = erases
        }
        Key(
            "forgives-one-every", \.policy.forgivesOneEvery, .span,
            "The time without a wrong entry after which one is forgiven, as by a TPM 2.0.")
        Key(
            "challenge-after", \.policy.challengeAfter, .number(checkedByModel: 1...Int(Int32.max)),
            "The wrong entries in a row since the start after which a prompt asks for a challenge phrase, as Windows does."
        )
        Key(
            "restart-after", \.policy.restartAfter, .number(checkedByModel: 1...Int(Int32.max)),
            "The wrong entries in a row since the start after which only a restart admits another, as Windows does.")
        Key("power-cycle-clears", \.policy.powerCycleClears, .flag, "Whether a power cycle ends a delay.")
    } check: { credential, fields in
        try fields.restating { try credential.policy.validate() }
        credential.lockout = credential.policy
    }

    private static let delay: DocumentSection<CredentialLockoutPolicy.Delay> = DocumentSection {
        DocumentKey<CredentialLockoutPolicy.Delay>(
            "failures", \.failures, .number(1...Int(Int32.max)), "The wrong entries in a row, this one included.",
            .required)
        DocumentKey<CredentialLockoutPolicy.Delay>(
            "delay", \.delay, .span, "The time in which no entry is accepted; after a delay, `0 s` for none.", .required
        )
    }
}
