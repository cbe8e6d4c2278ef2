internal import Biometrics
internal import Documents

extension GatePolicy {
    private typealias Key = DocumentKey<GatePolicy>

    static let form: Form<GatePolicy> = .mapping(section, from: GatePolicy(LockoutPolicy(), .never))

    private static let section: DocumentSection<GatePolicy> = DocumentSection {
        LockoutPolicy.keys.map { $0.lifted(to: \.lockout) }
        promptKeys
        ruleKeys
    } check: { policy, fields in
        try fields.restating { try policy.validate() }
    }

    @SectionBuilder<GatePolicy>
    private static var promptKeys: [DocumentKey<GatePolicy>] {
        Key(
            "attempts-per-prompt", \.attemptsPerPrompt, .number(checkedByModel: 1...Int(Int32.max)),
            "The failed attempts that end a prompt; without it, a prompt stays until its sensors lock.")
        Key(
            "fallback-offered-after", \.fallbackOfferedAfter, .number(),
            "The failed attempts after which a prompt offers its fallback; with the value of `attempts-per-prompt`, the prompt then stays for the fallback alone."
        )
        Key(
            "credential-fallback", \.deviceCredentialFallback, .flag,
            "Whether the device credential counts as user verification.")
        Key(
            "credential-attempts-per-prompt", \.credentialAttemptsPerPrompt,
            .number(checkedByModel: 1...Int(Int32.max)),
            "The wrong entries of the device credential that end a prompt.")
        Key(
            "passive-sensors-pause", \.passiveSensorsPause, .flag,
            "Whether a passive sensor (face, iris) waits for \"Try again\" after a failure or when it saw no user, as in Android's prompts."
        )
        Key("prompt-timeout", \.promptTimeout, .span, "The time that a prompt waits; default: 30 s.")
        Key("bad-capture-counts", \.badCaptureCounts, .flag, "Whether a poor sample counts as a failure.")
        Key("timeout-counts", \.timeoutCounts, .flag, "Whether a prompt without an answer counts as a failure.")
        Key(
            "confirmation", \.confirmation, .choice,
            "Whether the user must confirm a match by a passive sensor (face, iris): `appDecides` is Android's rule.")
        Key(
            "attention", \.requiresAttention, .flag,
            "Whether a face must look at the device to match, as for Face ID; needs a face sensor.")
        Key(
            "power-button", \.powerButton, .choice,
            "The power button's effect on a prompt: `powerPressed` is Android's error 19, for sensors in the button; `verifies` takes the press for a finger, as flutter/flutter #127732 reports."
        )
        Key(
            "second-prompt", \.secondPrompt, .choice,
            "The rule for a second prompt: `replaces` (default) ends the open prompt as `systemCancelled`, as on Apple's systems and Android; `refused` refuses the second one."
        )
    }

    @SectionBuilder<GatePolicy>
    private static var ruleKeys: [DocumentKey<GatePolicy>] {
        Key(
            "invalidation", \.invalidationRule, .choice,
            "The changes to the enrolled templates that invalidate the keys bound to them: `anyChange` is iOS's rule, `enrolledOrAllRemoved` Android's.",
            .requiredOnceMerged)
        Key(
            "strong-authentication", \.strongAuthentication, .list(of: StrongAuthenticationRule.form),
            "Rules for when the device credential is due before any biometric; one that holds is enough.")
        Key(
            "strong-authentication-at", \.strongAuthenticationAt, .choice,
            "The prompts for which those rules hold: `everyPrompt` (default), or `unlockPrompt`, the lock screen's alone, as on Android."
        )
        Key(
            "templates-need-credential", \.templatesNeedCredential, .flag,
            "Whether enrolment needs a device credential, whose removal removes all templates, as on Android.")
        Key(
            "sensors-need-credential", \.sensorsNeedCredential, .flag,
            "Whether the sensors verify only while a device credential is set (`passcodeNotSet`).")
        Key(
            "passkeys-need-credential", \.passkeysNeedCredential, .flag,
            "Whether a passkey is made and used only while a device credential is set, as on phones.")
        Key(
            "power-cycle-requires-credential", \.powerCycleRequiresCredential, .flag,
            "Whether the device credential is due after a power cycle.")
        Key(
            "power-cycle-clears", \.powerCycleClearsLockout, .flag,
            "Whether a power cycle clears the failures and unlocks the sensors.")
    }
}

extension LockoutPolicy {
    /// The `lockout` of one sensor.
    static let form: Form<LockoutPolicy> = .mapping(section, from: LockoutPolicy())

    private static let section: DocumentSection<LockoutPolicy> = DocumentSection {
        keys
    } check: { policy, fields in
        try fields.restating { try policy.validate() }
    }

    @SectionBuilder<LockoutPolicy>
    fileprivate static var keys: [DocumentKey<LockoutPolicy>] {
        DocumentKey<LockoutPolicy>(
            "timed-every", \.timedEvery, .number(checkedByModel: 1...25),
            "Every N failures in a row, the sensor locks for `timed-duration`.")
        DocumentKey<LockoutPolicy>(
            "timed-at", \.timedAt,
            .list(
                of: .number(checkedByModel: 1...Int(Int32.max)),
                orElse: "expected numbers of failures; leave it out where no number locks the sensor"),
            "Instead of `timed-every`: the numbers of failures in a row, such as `[3, 5, 8]`.")
        DocumentKey<LockoutPolicy>(
            "timed-duration", .span,
            "The length of a timed lockout; default: 30 s; needs `timed-every` or `timed-at`."
        ) { policy, duration, place in
            guard policy.timedEvery != nil || !policy.timedAt.isEmpty else {
                throw place.error(
                    "has no effect without timed-every or timed-at; add one of them, or remove timed-duration")
            }
            policy.timedDuration = duration
        }
        DocumentKey<LockoutPolicy>(
            "timed-clears-count", \.expiryClearsCount, .flag,
            "Whether the end of a timed lockout clears the failures, as in AOSP's virtual HALs; the framework keeps them."
        )
        DocumentKey<LockoutPolicy>(
            "permanent-at", \.permanentAt,
            .either(
                Form.number(checkedByModel: 1...25).map(Optional.some), or: .named([("never", nil)]),
                when: { (try? $0.string()) == "never" }),
            "The failures in a row that lock the sensor until the device credential is entered; 25 is the maximum of uvRetries.",
            .requiredOnceMerged)
    }
}

extension StrongAuthenticationRule {
    private typealias Key = DocumentKey<StrongAuthenticationRule>

    fileprivate static let form: Form<StrongAuthenticationRule> = .mapping(section, from: StrongAuthenticationRule())

    private static let section: DocumentSection<StrongAuthenticationRule> = DocumentSection {
        Key(
            "classes", \.classes, .list(of: Form.number(1...3).map { StrengthClass(rawValue: $0) ?? .class3 }),
            "The classes of sensors the rule binds; default: all.")
        Key("since-credential", \.sinceCredential, .span, "The time since the device credential was entered.")
        Key("since-unlock", \.sinceUnlock, .span, "The time since the device was unlocked, by any means.")
        Key("since-biometric", \.sinceBiometric, .span, "The time since a biometric unlocked the device.")
        Key("failures", \.failures, .number(checkedByModel: 1...Int(Int32.max)), "The failures in a row.")
    } check: { rule, fields in
        try fields.restating { try rule.validate() }
    }
}
