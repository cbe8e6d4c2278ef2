internal import CTAP
internal import Conformance

extension InfoRule {
    /// Rules about members and options that depend on each other.
    static let relations: [InfoRule] = [
        InfoRule("relation.protocols", "A client PIN or token needs a PIN/UV auth protocol.") { info in
            let needs = info.option(.clientPin) != nil || info.option(.pinUvAuthToken) == true
            return (!needs || info.pinUvAuthProtocols != nil).orSeen("no pinUvAuthProtocols")
        },
        InfoRule(
            "relation.protocol2", "An authenticator of CTAP 2.1 with a PIN or tokens has PIN/UV auth protocol 2.",
            .ctap("9"), needs: [.ctap21]
        ) { info in
            let needs = info.option(.clientPin) != nil || info.option(.pinUvAuthToken) == true
            return (!needs || info.pinUvAuthProtocols?.contains(2) == true).orSeen("\(info.pinUvAuthProtocols ?? [])")
        },
        InfoRule(
            "relation.tokens", "An authenticator of CTAP 2.1 with a PIN or built-in verification gives tokens.",
            .ctap("9"), needs: [.ctap21]
        ) { info in
            let needs = info.option(.clientPin) != nil || info.option(.uv) != nil
            return (!needs || info.option(.pinUvAuthToken) == true).orSeen("no option pinUvAuthToken")
        },
        InfoRule("relation.tokenSource", "Tokens need a PIN or built-in user verification.") { info in
            let hasSource = info.option(.clientPin) != nil || info.option(.uv) != nil
            return (info.option(.pinUvAuthToken) != true || hasSource).orSeen("neither clientPin nor uv")
        }, implied("noMcGa", .noMcGaPermissionsWithClientPin, by: .clientPin, "the option clientPin"),
        implied("bioEnroll", .bioEnroll, by: .uv, "the option uv"),
        implied("uvBioEnroll", .uvBioEnroll, by: .bioEnroll, "the option bioEnroll"),
        implied("uvAcfg", .uvAcfg, by: .authnrCfg, "the option authnrCfg"),
        implied("setMinPINLength", .setMinPINLength, by: .authnrCfg, "the option authnrCfg"),
        implied("setMinPINLengthPIN", .setMinPINLength, by: .clientPin, "the option clientPin"),
        implied("credMgmt", .credMgmt, by: .rk, "the option rk"),
        implied("credentialMgmtPreview", .credentialMgmtPreview, by: .rk, "the option rk"),
        implied("perCredMgmtRO", .perCredMgmtRO, by: .credMgmt, "the option credMgmt"),
        implied("perCredMgmtROToken", .perCredMgmtRO, by: .pinUvAuthToken, "the option pinUvAuthToken"),
        InfoRule("relation.uvModality", "Built-in user verification and uvModality agree.", level: .should) { info in
            (info.uvModality == nil || info.option(.uv) != nil || info.uvModality == 0x200)
                .orSeen("uvModality \(info.uvModality ?? 0) without the option uv")
        },
        InfoRule("relation.preferredAttempts", "preferredPlatformUvAttempts needs built-in user verification.") {
            info in (info.preferredPlatformUvAttempts == nil || info.option(.uv) != nil).orSeen("no option uv")
        },
        InfoRule(
            "relation.alwaysUv", "While alwaysUv is on, makeCredUvNotRqd is off.", .ctap("7.2.3"),
            needs: [.optionOn(.alwaysUv)]
        ) { info in (info.option(.makeCredUvNotRqd) != true).orSeen("makeCredUvNotRqd is true") },
        InfoRule(
            "relation.alwaysUvU2F", "While alwaysUv is on, versions lacks U2F_V2.", .ctap("7.2.4"),
            needs: [.optionOn(.alwaysUv)]
        ) { info in (!info.versions.contains("U2F_V2")).orSeen("\(info.versions)") },
        InfoRule("relation.largeBlobs", "largeBlobs and maxSerializedLargeBlobArray come together.") { info in
            let has = info.option(.largeBlobs) == true
            return (has == (info.maxSerializedLargeBlobArray != nil)).orSeen(has ? "no length" : "a length alone")
        },
        InfoRule("relation.largeBlobKey", "largeBlobKey and largeBlobs come together.", .ctap("12.3")) { info in
            let has = info.extensions?.contains("largeBlobKey") ?? false
            return (has == (info.option(.largeBlobs) == true)).orSeen(has ? "no option largeBlobs" : "no extension")
        },
        InfoRule("relation.credBlob", "credBlob and maxCredBlobLength come together.", .ctap("12.2")) { info in
            let has = info.extensions?.contains("credBlob") ?? false
            return (has == (info.maxCredBlobLength != nil)).orSeen(has ? "no length" : "a length alone")
        },
        InfoRule("relation.hmacSecretMC", "hmac-secret-mc comes with hmac-secret.", .ctap("12.8")) { info in
            let names = info.extensions ?? []
            return (!names.contains("hmac-secret-mc") || names.contains("hmac-secret")).orSeen("\(names)")
        },
        InfoRule(
            "relation.minPinLength", "The extension minPinLength comes with setMinPINLength.", .ctap("12.4"),
            needs: [.supported("minPinLength")]
        ) { info in (info.option(.setMinPINLength) == true).orSeen("no option setMinPINLength") },
        InfoRule(
            "relation.minPinLengthIDs", "maxRPIDsForSetMinPINLength comes with setMinPINLength.",
            needs: [.member(.maxRPIDsForSetMinPINLength)]
        ) { info in (info.option(.setMinPINLength) == true).orSeen("no option setMinPINLength") },
        InfoRule(
            "relation.configCommands", "authenticatorConfigCommands comes with authnrCfg.",
            needs: [.member(.authenticatorConfigCommands)]
        ) { info in (info.option(.authnrCfg) == true).orSeen("no option authnrCfg") },
        InfoRule(
            "relation.configSetMinPINLength", "authenticatorConfigCommands has setMinPINLength where the option is on.",
            needs: [.member(.authenticatorConfigCommands)]
        ) { info in
            let has = info.authenticatorConfigCommands?.contains(3) == true
            return (has == (info.option(.setMinPINLength) == true)).orSeen("\(info.authenticatorConfigCommands ?? [])")
        },
        InfoRule(
            "relation.vendorPrototypes", "vendorPrototypeConfigCommands comes with authnrCfg.",
            needs: [.member(.vendorPrototypeConfigCommands)]
        ) { info in (info.option(.authnrCfg) == true).orSeen("no option authnrCfg") },
        InfoRule("relation.userPresence", "A security key tests user presence: up is true or absent.", level: .should) {
            info in (info.option(.plat) == true || info.option(.up) != false).orSeen("up is false")
        },
        InfoRule(
            "mandatory.credProtect", "An authenticator of CTAP 2.1 with user verification has credProtect.",
            .ctap("9"), level: .should, needs: [.ctap21]
        ) { info in
            let isVerified = info.option(.clientPin) != nil || info.option(.uv) != nil
            return (!isVerified || info.extensions?.contains("credProtect") == true).orSeen("no extension credProtect")
        },
        InfoRule(
            "mandatory.credMgmt", "A security key of CTAP 2.1 with discoverable credentials manages them.",
            .ctap("9"), level: .should, needs: [.ctap21, .optionOn(.rk), .optionOff(.plat)]
        ) { info in (info.option(.credMgmt) == true).orSeen("no option credMgmt") },
        InfoRule(
            "mandatory.fido20", "An authenticator of CTAP 2.1 lists FIDO_2_0 beside it.", .ctap("6.4"), level: .may,
            needs: [.ctap21]
        ) { info in info.versions.contains("FIDO_2_0").orSeen("\(info.versions)") },
        InfoRule(
            "mandatory.fido21", "An authenticator of CTAP 2.3 lists FIDO_2_1 beside it.", .ctap("6.4"), level: .may,
            needs: [.ctap23]
        ) { info in info.versions.contains("FIDO_2_1").orSeen("\(info.versions)") },
    ]

    /// An option that needs another one to be present.
    private static func implied(
        _ name: String, _ option: InfoOption, by other: InfoOption, _ words: String
    ) -> InfoRule {
        InfoRule(
            "relation.\(name)", "The option \(option.rawValue) needs \(words).", needs: [.optionOn(option)]
        ) { info in
            let value = info.option(other)
            let isAbility = [.authnrCfg, .rk, .credMgmt, .pinUvAuthToken].contains(other)
            return (isAbility ? value == true : value != nil).orSeen(
                "\(other.rawValue) is \(value.map(String.init) ?? "absent")")
        }
    }
}
