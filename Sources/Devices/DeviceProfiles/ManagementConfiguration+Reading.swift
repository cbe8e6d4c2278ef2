internal import CTAP
internal import Documents
internal import VirtualAuthenticator

extension ManagementConfiguration {
    init(reading value: YAMLValue) throws(SourceError) {
        self.init()
        let fields = try value.fields([
            "credentials", "persistent-tokens", "bio-enrollment", "config", "vendor-prototypes", "config-by-uv",
            "always-uv-stays", "enterprise-attestation",
        ])
        if let credentials = fields["credentials"] {
            let choice = try credentials.choice(Support.self)
            supportsCredentialManagement = choice == .yes || choice == .both
            supportsCredentialManagementPreview = choice == .preview || choice == .both
        }
        supportsPersistentTokens = try fields["persistent-tokens"]?.bool() ?? false
        bioEnrollment = try fields["bio-enrollment"].map { value throws(SourceError) in
            try BioEnrollment(reading: value)
        }
        for item in try fields["config"]?.items() ?? [] {
            configSubcommands.append(try item.choice(ConfigName.self).subcommand)
        }
        for item in try fields["vendor-prototypes"]?.items() ?? [] {
            vendorPrototypeCommands.append(try item.int(in: 0...Int.max))
        }
        allowsConfigByUV = try fields["config-by-uv"]?.bool() ?? false
        keepsAlwaysUV = try fields["always-uv-stays"]?.bool() ?? false
        if let enterprise = try fields["enterprise-attestation"]?.fields(["enabled", "rp-ids"]) {
            var attestation = EnterpriseAttestation()
            attestation.isEnabledInitially = try enterprise["enabled"]?.bool() ?? false
            attestation.relyingPartyIDs = try enterprise["rp-ids"]?.strings() ?? []
            enterpriseAttestation = attestation
        }
        if supportsPersistentTokens, !supportsCredentialManagement {
            throw value.error("persistent-tokens read credential management, which needs credentials: yes or both")
        }
    }

    /// Under which command byte a device answers.
    enum Support: String, CaseIterable {
        case yes, preview, both
    }

    /// The subcommands of authenticatorConfig, by the specification's names.
    enum ConfigName: String, CaseIterable {
        case enableEnterpriseAttestation, toggleAlwaysUv, setMinPINLength, enableLongTouchForReset, vendorPrototype

        var subcommand: AuthenticatorConfigSubcommand {
            switch self {
            case .enableEnterpriseAttestation: .enableEnterpriseAttestation
            case .toggleAlwaysUv: .toggleAlwaysUv
            case .setMinPINLength: .setMinPINLength
            case .enableLongTouchForReset: .enableLongTouchForReset
            case .vendorPrototype: .vendorPrototype
            }
        }
    }
}

extension ManagementConfiguration.BioEnrollment {
    fileprivate init(reading value: YAMLValue) throws(SourceError) {
        self.init()
        let fields = try value.fields(["preview", "by-uv", "samples", "name-length", "kind"])
        if let preview = fields["preview"] {
            answersOnlyPreview = (try? preview.string()) == "only"
            answersPreview = answersOnlyPreview ? false : try preview.bool()
        }
        allowsEnrollingByUV = try fields["by-uv"]?.bool() ?? false
        samples = try fields["samples"]?.int(in: 1...100) ?? samples
        maxFriendlyNameLength = try fields["name-length"]?.int(in: 1...255) ?? maxFriendlyNameLength
        kind = try fields["kind"]?.choice(Kind.self) == .swipe ? .swipe : .touch
    }

    enum Kind: String, CaseIterable {
        case touch, swipe
    }
}
