internal import Attestation
internal import COSE
internal import CTAP
internal import VirtualAuthenticator
internal import WebAuthn

extension ProfileSchema {
    private typealias Configuration = AuthenticatorConfiguration

    static let authenticator = SchemaNode.mapping(
        "the authenticator",
        [
            "aaguid": .pattern(
                "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
                "the model, as passkeys name it"),
            "attachment": .one(of: ["platform", "cross-platform"], "built in, or carried around"),
            "versions": .list(
                of: .one(of: Configuration.knownVersions, "a version"), "what getInfo lists (CTAP 2.3 §9)"),
            "algorithms": .list(
                of: .one(of: COSE.Algorithm.supported.compactMap(\.name), "a COSE algorithm"), "most wanted first"
            ).adding(["minItems": 1]),
            "transports": transports("how clients reach it").adding(["minItems": 1]),
            "display": .flag("whether the person chooses among accounts on the device itself"),
            "discoverable": .one(
                of: Configuration.Discoverability.allCases.map(\.rawValue), "when a credential becomes discoverable"),
            "capacity": .number("how many discoverable credentials fit", 0...100_000),
            "counter": .one(of: Configuration.CounterMode.allCases.map(\.rawValue), "the signature counter"),
            "counter-start": .number("what the counter of a new credential says, with perCredential"),
            "backup": .mapping(
                "BE and BS of new credentials",
                required: ["eligible", "state"], ["eligible": .flag("BE"), "state": .flag("BS")]),
            "credential-id-length": .number("of credentials kept on the device, in bytes", 16...1023),
            "attestation": .list(
                of: .one(of: AttestationKind.allCases.map(\.rawValue), "a statement"),
                "how new credentials are attested to, most wanted first"),
            "extensions": .list(
                of: .one(of: AuthenticatorExtension.allCases.map(\.rawValue), "an extension"), "what getInfo lists"),
            "cred-blob-length": .number("the longest credBlob, in bytes", 32...1024),
            "large-blobs": .number("the bytes there are for large blobs", 1024...65_536),
            "u2f": .flag("whether it answers CTAP1/U2F too"),
            "client-pin": .flag("whether a PIN can be set"),
            "pin-uv-auth-token": .flag("whether tokens come with permissions"),
            "pin-protocols": .list(of: .number("1 or 2", 1...2), "PIN/UV auth protocols, most wanted first"),
            "min-pin-length": .number("in code points", 4...63),
            "max-pin-length": .number("in bytes of UTF-8", 8...63),
            "max-pin-retries": .number("wrong PINs until only a reset helps", 1...8),
            "pin-complexity": .flag("whether PINs must be more than long enough"),
            "pin-complexity-url": .text("where that is explained"),
            "min-pin-length-rp-ids": .mapping(
                "who may read the PIN's minimum length",
                [
                    "ids": .list(of: .text("an RP ID"), "from the start"),
                    "most": .number("how many setMinPINLength may name", 0...100),
                ]),
            "no-pin-for-credentials": .flag("noMcGaPermissionsWithClientPin"),
            "make-credential-without-uv": .flag("makeCredUvNotRqd"),
            "always-uv": .flag("alwaysUv; left out, the option is not known"),
            "preferred-uv-attempts": .number("preferredPlatformUvAttempts", 1...25),
            "keep-all-credentials": .flag("whether credentials that are not discoverable are kept on the device, too"),
            "uv-count": .flag("whether getInfo tells uvCountSinceLastPinEntry"),
            "limits": .mapping(
                "what getInfo says of sizes",
                [
                    "message": .number("maxMsgSize", 1024...7609),
                    "list": .number("maxCredentialCountInList", 1...1000),
                    "credential-id": .number("maxCredentialIdLength", 128...1023),
                ]),
            "unlisted": .list(
                of: .one(of: Configuration.UnlistedMember.allCases.map(\.rawValue), "a member"),
                "what getInfo leaves out"),
            "reset-transports": transports("over which a reset is accepted"),
            "nfc-presence": .one(
                of: Configuration.ContactlessPresence.allCases.map(\.rawValue),
                "what shows over NFC that a person is there"),
            "nfc-presence-limit": .span("how long a tap counts, at most 120 s"),
            "reset-window": .span("how long after power-up a reset is accepted"),
            "user-action-timeout": .span("how long it waits for a touch"),
            "firmware": .number("firmwareVersion"),
            "certifications": .table(of: .number("a level"), "as in getInfo"),
            "management": management,
        ])

    private static let management = SchemaNode.mapping(
        "what CTAP 2.1 added to look after a key",
        [
            "credentials": .one(
                of: ManagementConfiguration.Support.allCases.map(\.rawValue), "authenticatorCredentialManagement"),
            "persistent-tokens": .flag("perCredMgmtRO"),
            "bio-enrollment": .mapping(
                "authenticatorBioEnrollment; needs a fingerprint sensor",
                [
                    "preview": .either(
                        [.flag("besides the command"), .one(of: ["only"], "in its place")], "command byte 0x40"),
                    "by-uv": .flag("whether verification gives tokens for it"),
                    "samples": .number("how many a finger takes", 1...100),
                    "name-length": .number("the longest name, in bytes", 1...255),
                    "kind": .one(
                        of: ManagementConfiguration.BioEnrollment.Kind.allCases.map(\.rawValue), "how fingers are shown"
                    ),
                ]),
            "config": .list(
                of: .one(of: ManagementConfiguration.ConfigName.allCases.map(\.rawValue), "a subcommand"),
                "authenticatorConfig"),
            "vendor-prototypes": .list(of: .number("an ID", 0...Int.max), "what vendorPrototype takes"),
            "config-by-uv": .flag("uvAcfg"),
            "always-uv-stays": .flag("whether always-require-UV, once on, cannot be turned off"),
            "enterprise-attestation": .mapping(
                "ep",
                [
                    "enabled": .flag("from the start"),
                    "rp-ids": .list(of: .text("an RP ID"), "who gets it vendor-facilitated"),
                ]),
        ])

    private static func transports(_ about: String) -> SchemaNode {
        .list(of: .one(of: Configuration.knownTransports, "a transport"), about)
    }
}
