internal import CTAP
internal import Documents
internal import VirtualAuthenticator

extension ManagementConfiguration {
    private typealias Key = DocumentKey<ManagementConfiguration>

    /// `authenticator.management`.
    static let section: DocumentSection<ManagementConfiguration> = DocumentSection {
        Key(
            "credentials",
            Form.named([
                ("yes", (true, false, false)), ("preview", (false, true, false)), ("both", (true, true, false)),
                ("both-unlisted", (true, false, true)),
            ]),
            "Support for authenticatorCredentialManagement; the preview has command byte 0x41, which `both-unlisted` answers without listing it."
        ) { model, support, _ in
            (
                model.supportsCredentialManagement, model.supportsCredentialManagementPreview,
                model.answersUnlistedPreview
            ) = support
        }
        Key(
            "persistent-tokens", \.supportsPersistentTokens, .flag,
            "Whether the device has `perCredMgmtRO`: tokens that read credential management and survive a power cycle, with `encIdentifier` and `encCredStoreState`."
        )
        Key(
            "bio-enrollment", \.bioEnrollment, .mapping(BioEnrollment.section, from: BioEnrollment()),
            "Support for authenticatorBioEnrollment; needs a fingerprint sensor.")
        Key(
            "config", \.configSubcommands, .list(of: .named(configNames)),
            "The subcommands of authenticatorConfig.")
        Key(
            "vendor-prototypes", \.vendorPrototypeCommands, .list(of: .number(0...Int.max)),
            "The IDs that vendorPrototype accepts.")
        Key(
            "config-by-uv", \.allowsConfigByUV, .flag,
            "`uvAcfg`: whether built-in user verification gives tokens for authenticatorConfig.")
        Key(
            "always-uv-stays", \.keepsAlwaysUV, .flag,
            "Whether always-require-UV, once on, cannot be turned off.")
        Key(
            "enterprise-attestation", \.enterpriseAttestation,
            .mapping(EnterpriseAttestation.section, from: EnterpriseAttestation()),
            "`ep`: support for enterprise attestation.")
    } check: { model, fields in
        if model.supportsPersistentTokens, !model.supportsCredentialManagement {
            throw fields.owner.error("persistent-tokens needs credentials: yes or both")
        }
    }

    /// The subcommands of authenticatorConfig by the specification's names (CTAP 2.3 §6.11).
    private static let configNames: [(name: String, value: AuthenticatorConfigSubcommand)] =
        AuthenticatorConfigSubcommand.allCases.map { ("\($0)", $0) }
}

extension ManagementConfiguration.BioEnrollment {
    private typealias Key = DocumentKey<ManagementConfiguration.BioEnrollment>

    fileprivate static let section: DocumentSection<ManagementConfiguration.BioEnrollment> = DocumentSection {
        Key(
            "preview",
            Form.either(
                Form.flag.map { (also: $0, only: false) }, or: .named([("only", (also: false, only: true))]),
                when: { (try? $0.string()) == "only" }),
            "Whether the device also answers the preview's command byte 0x40; `only`: 0x40 and not 0x09."
        ) { model, preview, _ in (model.answersPreview, model.answersOnlyPreview) = preview }
        Key(
            "by-uv", \.allowsEnrollingByUV, .flag,
            "`uvBioEnroll`: whether built-in user verification gives tokens for enrolment.")
        Key("samples", \.samples, .number(1...100), "The good samples that one enrolment takes.")
        Key(
            "name-length", \.maxFriendlyNameLength, .number(1...255),
            "The maximum length of a template's name, in bytes.")
        Key(
            "kind", \.kind, .named(FingerprintKind.allCases.map { ("\($0)", $0) }),
            "The movement of the finger on the sensor; default: `touch`.")
    }
}

extension ManagementConfiguration.EnterpriseAttestation {
    private typealias Key = DocumentKey<ManagementConfiguration.EnterpriseAttestation>

    fileprivate static let section: DocumentSection<ManagementConfiguration.EnterpriseAttestation> = DocumentSection {
        Key("enabled", \.isEnabledInitially, .flag, "Whether it is on from the start until the first reset.")
        Key("rp-ids", \.relyingPartyIDs, .list(of: .text), "The RP IDs that receive it vendor-facilitated.")
    }
}
