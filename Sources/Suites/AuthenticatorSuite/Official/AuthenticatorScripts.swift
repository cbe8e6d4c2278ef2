internal import Conformance

/// The scripts of the tool's module for authenticators of CTAP 2.3.
enum AuthenticatorScripts {
    static let table = OfficialTable(
        module: "Authenticators (CTAP 2.3)",
        transports + credentials + assertions + options + extensions + pin(1, 1) + pin(2, 2) + management + metadata)

    private static let transports = [
        OfficialScript(
            "HID-1", "Transports", OfficialScript.markers(15, 4), subjects: ["hid", "keepalive", "cancel"],
            matches: [
                OfficialMatch("P-2", ["hid.sequence.spurious"], .issue(357)),
                OfficialMatch(
                    "P-9", ["hid.keepalive", "keepalive.makeCredential", "cancel.makeCredential"], .issue(338)),
                OfficialMatch("P-11", ["keepalive.getAssertion"], .issue(600)),
                OfficialMatch("P-12", ["hid.lock"], .issue(363)), OfficialMatch("P-13", ["hid.lock"], .issue(363)),
            ]),
        OfficialScript(
            "NFC-1", "Transports", OfficialScript.markers(4, 4), subjects: ["nfc"],
            matches: [OfficialMatch("P-1", ["nfc.select.version", "nfc.select.u2f"], .appletIssue(30))]),
        OfficialScript("BLE-1", "Transports", OfficialScript.markers(10), gap: "the bench has no Bluetooth transport"),
        OfficialScript(
            "Authr-Generic-1", "General", OfficialScript.markers(5), subjects: ["getInfo", "general", "cbor"],
            matches: [
                OfficialMatch(
                    "P-1",
                    [
                        "getInfo.map", "getInfo.required", "getInfo.versions.type", "getInfo.extensions.type",
                        "getInfo.aaguid.type", "getInfo.options.type", "getInfo.maxMsgSize.type",
                        "getInfo.pinUvAuthProtocols.type",
                    ], .appletIssue(30))
            ]),
        OfficialScript(
            "Authr-Reset-1", "Reset", OfficialScript.markers(1), subjects: ["reset"],
            matches: [OfficialMatch("P-1", ["reset.touch", "reset.pin", "reset.discoverable"], .name)]),
    ]

    private static let credentials = [
        OfficialScript(
            "Authr-MakeCred-Req-1", "MakeCredentialRequest", OfficialScript.markers(1, 11),
            subjects: [
                "makeCredential.missing", "makeCredential.type.clientDataHash", "makeCredential.type.rp",
                "makeCredential.type.user", "makeCredential.type.pubKeyCredParams", "makeCredential.clientDataHash",
            ], matches: [OfficialMatch("P-1", ["makeCredential.withoutToken.allowed"], .issue(699))]),
        OfficialScript(
            "Authr-MakeCred-Req-2", "MakeCredentialRequest", OfficialScript.markers(0, 3),
            subjects: ["makeCredential.form.rp", "makeCredential.rp"]),
        OfficialScript(
            "Authr-MakeCred-Req-3", "MakeCredentialRequest", OfficialScript.markers(0, 4),
            subjects: ["makeCredential.form.user", "makeCredential.user"]),
        OfficialScript(
            "Authr-MakeCred-Req-4", "MakeCredentialRequest", OfficialScript.markers(1, 7),
            subjects: [
                "makeCredential.form.pubKeyCredParams", "makeCredential.algorithm", "makeCredential.algorithms",
            ],
            matches: [
                OfficialMatch("P-1", ["makeCredential.algorithms.mixedTypes"], .issue(160)),
                OfficialMatch("F-7", ["makeCredential.algorithms.unknownType"], .issue(183)),
            ]),
        OfficialScript(
            "Authr-MakeCred-Req-5", "MakeCredentialRequest", OfficialScript.markers(4, 7, missing: ["F-4"]),
            subjects: [
                "makeCredential.excludeList", "makeCredential.form.excludeList", "makeCredential.type.excludeList",
            ], matches: [OfficialMatch("F-7", ["makeCredential.excludeList.match"], .issue(358))]),
        OfficialScript(
            "Authr-MakeCred-Req-6", "MakeCredentialRequest", OfficialScript.markers(3, 1),
            subjects: ["makeCredential.options", "makeCredential.form.options", "makeCredential.type.options"]),
        OfficialScript(
            "Authr-MakeCred-Resp-1", "MakeCredentialResponse", ["P-01", "P-02", "P-03", "P-04", "P-06", "F-01"],
            subjects: [
                "makeCredential.data", "makeCredential.flags", "makeCredential.rpIdHash", "makeCredential.aaguid",
                "makeCredential.credentialID", "makeCredential.key", "makeCredential.fmt", "makeCredential.attStmt",
                "makeCredential.members", "attestation",
            ]),
    ]

    private static let assertions = [
        OfficialScript(
            "Authr-GetAssertion-Req-1", "GetAssertionReq", OfficialScript.markers(1, 6),
            subjects: [
                "getAssertion.missing", "getAssertion.type.rpId", "getAssertion.type.clientDataHash",
                "getAssertion.clientDataHash",
            ], matches: [OfficialMatch("P-1", ["getAssertion.allowList.match"], .issue(218))]),
        OfficialScript(
            "Authr-GetAssertion-Req-2", "GetAssertionReq", OfficialScript.markers(3),
            subjects: ["getAssertion.options", "getAssertion.form.options", "getAssertion.type.options"]),
        OfficialScript(
            "Authr-GetAssertion-Req-3", "GetAssertionReq", OfficialScript.markers(1, 6),
            subjects: ["getAssertion.allowList", "getAssertion.form.allowList", "getAssertion.type.allowList"]),
        OfficialScript(
            "Authr-GetAssertion-Resp-1", "GetAssertionResp", OfficialScript.markers(4, 1),
            subjects: [
                "getAssertion.data", "getAssertion.flags", "getAssertion.rpIdHash", "getAssertion.signature",
                "getAssertion.counter", "getAssertion.length", "getAssertion.members",
            ], matches: [OfficialMatch("P-1", ["getAssertion.credential"], .issue(162))]),
    ]

    private static let options = [
        OfficialScript(
            "ResidentKey", "OptionsRK", OfficialScript.markers(6),
            subjects: [
                "makeCredential.options.rk", "makeCredential.account", "getAssertion.discovered",
                "getAssertion.several", "getAssertion.next", "state.getNextAssertion",
            ],
            matches: [
                OfficialMatch(
                    "P-2",
                    ["getAssertion.several.count", "getAssertion.next.all", "getAssertion.several.unverifiedNames"],
                    .issue(778)), OfficialMatch("P-3", ["getAssertion.several.verifiedNames"], .issue(528)),
            ]),
        OfficialScript(
            "EntepriseAttestation", "OptionsEP", OfficialScript.markers(3, 6),
            subjects: [
                "makeCredential.enterpriseAttestation", "makeCredential.type.enterpriseAttestation",
                "config.enableEnterpriseAttestation",
            ]),
    ]

    private static let extensions = [
        extensionScript("hmacSecret", 3, 3, ["hmacSecret.enabled", "hmacSecret.protocol1", "hmacSecret.input"]),
        extensionScript("hmacSecret2", 3, 3, ["hmacSecret.enabled", "hmacSecret.protocol2", "hmacSecret.input"]),
        extensionScript("hmacSecretMC", 3, 4, ["hmacSecret.mc"]), extensionScript("credProtect", 4, 0, ["credProtect"]),
        extensionScript("credBlob", 3, 0, ["credBlob"]),
        OfficialScript(
            "largeBlob", "Extensions", OfficialScript.markers(7, 5),
            gap: "the suite has no cases for the extension largeBlob of CTAP 2.3"),
        extensionScript(
            "largeBlobKey", 2, 4, ["largeBlobKey"], [OfficialMatch("P-1", ["largeBlobKey.registration"], .issue(626))]),
        extensionScript(
            "minPINLength", 1, 1, ["minPinLength"],
            [
                OfficialMatch("P-1", ["minPinLength.listed"], .issue(659)),
                OfficialMatch("F-1", ["minPinLength.otherRP"], .name),
            ]), extensionScript("pinComplexityPolicy", 2, 0, ["pinComplexityPolicy"]),
        extensionScript("thirdPartyPayment", 2, 1, ["thirdPartyPayment"]),
        extensionScript("uvm", 1, 0, ["uvm"], [OfficialMatch("P-1", ["uvm.registration", "uvm.assertion"], .name)]),
    ]

    private static func extensionScript(
        _ name: String, _ positive: Int, _ negative: Int, _ subjects: [String], _ matches: [OfficialMatch] = []
    ) -> OfficialScript {
        OfficialScript(
            name, "Extensions", OfficialScript.markers(positive, negative), subjects: subjects, matches: matches)
    }

    /// The scripts for a PIN/UV auth protocol.
    private static func pin(_ number: Int, _ pinProtocol: Int) -> [OfficialScript] {
        let (group, prefix) = ("ClientPin\(number)", "clientPIN.protocol\(pinProtocol)")
        func script(
            _ name: String, _ positive: Int, _ negative: Int, _ subjects: [String], _ matches: [OfficialMatch] = []
        ) -> OfficialScript {
            OfficialScript(
                "Authr-\(group)-\(name)", group, OfficialScript.markers(positive, negative), subjects: subjects,
                matches: matches)
        }
        let keyAgreement = script(
            "KeyAgreement", 1, 0, ["\(prefix).keyAgreement", "clientPIN.keyAgreement"],
            [OfficialMatch("P-1", ["\(prefix).keyAgreement.usable"], .name)])
        let policy = ["\(prefix).setPIN.pin", "\(prefix).changePIN.pin"]
        let retries = ["clientPIN.retries", "\(prefix).retries"]
        guard number == 2 else {
            return [
                keyAgreement, script("NewPin", 6, 1, ["\(prefix).setPIN", "\(prefix).changePIN"]),
                script("PinPolicy", 1, 4, policy), script("GetRetries", 4, 0, retries),
            ]
        }
        let tokens = ["\(prefix).tokenUsingPin.permission.mc", "\(prefix).tokenUsingPin.permission.ga"]
        return [
            keyAgreement, script("NewPin", 4, 0, ["\(prefix).setPIN", "\(prefix).changePIN"]),
            script("GetPinToken", 3, 5, ["\(prefix).getPinToken"]),
            script(
                "GetPinUvAuthTokenUsingPinWithPermissions", 4, 1, ["\(prefix).tokenUsingPin", "clientPIN.token"],
                [
                    OfficialMatch("P-1", tokens, .issue(644)), OfficialMatch("P-2", tokens, .issue(648)),
                    OfficialMatch("P-3", tokens, .issue(648)),
                ]), script("GetPinUvAuthTokenUsingUvWithPermissions", 4, 0, ["uv.token"]),
            script("PinPolicy", 1, 5, policy + ["clientPIN.forcePINChange"]), script("GetRetries", 5, 0, retries),
        ]
    }

    private static let management = [
        OfficialScript(
            "CredentialManagement-EnumerateRPs", "CredManAPI", OfficialScript.markers(6),
            subjects: ["credentialManagement.metadata", "credentialManagement.enumerateRPs"],
            matches: [OfficialMatch("P-2", ["credentialManagement.enumerateRPs.found"], .issue(706))]),
        OfficialScript(
            "CredentialManagement-EnumerateCredentials", "CredManAPI", OfficialScript.markers(3),
            subjects: ["credentialManagement.enumerateCredentials"],
            matches: [
                OfficialMatch(
                    "P-1",
                    ["user", "descriptor", "publicKey"].map { "credentialManagement.enumerateCredentials.\($0)" },
                    .appletIssue(56)),
                OfficialMatch("P-2", ["credentialManagement.enumerateCredentials.all"], .appletIssue(56)),
            ]),
        OfficialScript(
            "CredentialManagement-UpdateAndDelete", "CredManAPI", OfficialScript.markers(2),
            subjects: ["credentialManagement.update", "credentialManagement.delete"],
            matches: [OfficialMatch("P-1", ["credentialManagement.update.name"], .issue(630))]),
        OfficialScript(
            "AuthenticatorConfig", "AuthenticatorConfig", OfficialScript.markers(7), subjects: ["config"],
            matches: [OfficialMatch("P-3", ["config.setMinPINLength.raised"], .issue(722))]),
        OfficialScript(
            "BioEnroll-BioModAndSensorInfo", "BioEnrollment", OfficialScript.markers(2),
            subjects: ["bioEnrollment.modality", "bioEnrollment.sensorInfo", "bioEnrollment.getInfo"]),
        OfficialScript(
            "BioEnroll-Enroll", "BioEnrollment", OfficialScript.markers(2),
            subjects: ["bioEnrollment.enrol", "bioEnrollment.enrollBegin", "bioEnrollment.enrollCaptureNextSample"]),
        OfficialScript(
            "BioEnroll-EnumerateRenameRemove", "BioEnrollment", OfficialScript.markers(3),
            subjects: [
                "bioEnrollment.enumerate", "bioEnrollment.setFriendlyName", "bioEnrollment.remove",
                "bioEnrollment.enumerateEnrollments", "bioEnrollment.removeEnrollment",
            ]), OfficialScript("LargeBlobs-1", "LargeBlobs", OfficialScript.markers(4), subjects: ["largeBlobs"]),
    ]

    private static let metadata = [
        OfficialScript(
            "Metadata-Stmt-1", "Metadata",
            OfficialScript.markers(43, missing: ["P-9", "P-10", "P-12", "P-21", "P-23", "P-30"]),
            subjects: ["metadata"])
    ]
}
