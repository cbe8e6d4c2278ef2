internal import CBOR
internal import CTAP
internal import Conformance
internal import SimulatedDevice

/// The other settings of authenticatorConfig (CTAP 2.3 §6.11.1 to §6.11.5).
enum SettingCases {
    static let all = enterprise + always + longTouch + vendor

    // MARK: Enterprise attestation

    private static let enterprise: [AuthenticatorCase] = [
        make(
            "enableEnterpriseAttestation.enabled",
            "The subcommand enableEnterpriseAttestation turns enterprise attestation on, and getInfo says so.",
            "6.11.1",
            needs: [.option(.ep)]
        ) { platform, token in
            platform.expect(try await platform.configure(.enableEnterpriseAttestation, token: token), [.ok])
            try await platform.expectOption(.ep, true)
        },
        make(
            "enableEnterpriseAttestation.twice",
            "The subcommand enableEnterpriseAttestation succeeds when it is on already.",
            "6.11.1", needs: [.option(.ep)]
        ) { platform, token in
            for _ in 1...2 {
                platform.expect(try await platform.configure(.enableEnterpriseAttestation, token: token), [.ok])
            }
            try await platform.expectOption(.ep, true)
        },
        make(
            "enableEnterpriseAttestation.powerCycle", "Enterprise attestation stays on after a power cycle.",
            "6.11.1", needs: [.option(.ep), .powerCycle]
        ) { platform, token in
            platform.expect(try await platform.configure(.enableEnterpriseAttestation, token: token), [.ok])
            try await platform.powerCycle()
            try await platform.expectOption(.ep, true)
        },
        make(
            "enableEnterpriseAttestation.refusedBefore",
            "A registration with enterprise attestation is refused while it is off.", "6.1.2", needs: [.option(.ep)]
        ) { platform, _ in
            var request = platform.makeRequest(token: try await platform.credentialToken(.makeCredential))
            request[0x0A] = 1
            try await platform.refuse(.makeCredential, request, with: [.invalidParameter])
        },
        make(
            "enableEnterpriseAttestation.unknownKind",
            "A registration with an unknown kind of enterprise attestation is refused.", "6.1.2",
            needs: [.option(.ep)]
        ) { platform, token in
            platform.expect(try await platform.configure(.enableEnterpriseAttestation, token: token), [.ok])
            var request = platform.makeRequest(token: try await platform.credentialToken(.makeCredential))
            request[0x0A] = 3
            try await platform.refuse(.makeCredential, request, with: [.invalidOption])
        },
        make(
            "enableEnterpriseAttestation.otherRP",
            "Vendor-facilitated enterprise attestation is not given to a relying party outside its list.", "7.1",
            needs: [.option(.ep)]
        ) { platform, token in
            platform.expect(try await platform.configure(.enableEnterpriseAttestation, token: token), [.ok])
            var request = platform.makeRequest(token: try await platform.credentialToken(.makeCredential))
            request[0x0A] = 1
            let response = try await platform.accept(.makeCredential, request)
            platform.recorder.expect(
                response[0x04] != true, "epAtt false or absent", seen: "epAtt true")
        },
        make(
            "enableEnterpriseAttestation.platformManaged",
            "A registration with platform-managed enterprise attestation says that it has one.", "7.1",
            needs: [.option(.ep)]
        ) { platform, token in
            platform.expect(try await platform.configure(.enableEnterpriseAttestation, token: token), [.ok])
            var request = platform.makeRequest(token: try await platform.credentialToken(.makeCredential))
            request[0x0A] = 2
            let response = try await platform.accept(.makeCredential, request)
            platform.recorder.expect(
                response[0x04] == true, "epAtt true", seen: "\(response[0x04] ?? .null)", level: .should)
        },
    ]

    // MARK: alwaysUv

    private static let always: [AuthenticatorCase] = [
        make(
            "toggleAlwaysUv.toggled", "The subcommand toggleAlwaysUv changes the setting, and getInfo says so.",
            "6.11.2",
            needs: [.optionOff(.alwaysUv), .option(.alwaysUv)]
        ) { platform, token in
            platform.expect(try await platform.configure(.toggleAlwaysUv, token: token), [.ok])
            try await platform.expectOption(.alwaysUv, true)
        },
        make(
            "toggleAlwaysUv.back",
            "The subcommand toggleAlwaysUv a second time restores the setting, unless the device forbids it.",
            "6.11.2", needs: [.option(.alwaysUv)]
        ) { platform, token in
            let before = platform.bench.info.option(.alwaysUv)
            let first = try await platform.configure(.toggleAlwaysUv, token: token)
            guard first.status != .operationDenied else {
                try await platform.expectOption(.alwaysUv, true)
                return
            }
            platform.expect(first, [.ok])
            let second = try await platform.configure(.toggleAlwaysUv, token: token)
            platform.expect(second, [.ok, .operationDenied])
            try await platform.expectOption(.alwaysUv, second.status == .ok ? before : before.map { !$0 })
        },
        make(
            "toggleAlwaysUv.powerCycle", "The setting alwaysUv outlives a power cycle.", "6.11.2",
            needs: [.optionOff(.alwaysUv), .option(.alwaysUv), .powerCycle]
        ) { platform, token in
            platform.expect(try await platform.configure(.toggleAlwaysUv, token: token), [.ok])
            try await platform.powerCycle()
            try await platform.expectOption(.alwaysUv, true)
        },
    ]

    // MARK: Long touch

    private static let longTouch: [AuthenticatorCase] = [
        make(
            "enableLongTouchForReset.enabled",
            "The subcommand enableLongTouchForReset sets longTouchForReset in getInfo.",
            "6.11.5", needs: [.member(.longTouchForReset)]
        ) { platform, token in
            platform.expect(try await platform.configure(.enableLongTouchForReset, token: token), [.ok])
            let value = try await platform.information().longTouchForReset
            platform.recorder.expect(
                value == true, "longTouchForReset true", seen: value.map { "\($0)" } ?? "no such member")
        },
        make(
            "enableLongTouchForReset.powerCycle", "The demand for a long touch outlives a power cycle.", "6.11.5",
            needs: [.member(.longTouchForReset), .powerCycle]
        ) { platform, token in
            platform.expect(try await platform.configure(.enableLongTouchForReset, token: token), [.ok])
            try await platform.powerCycle()
            let value = try await platform.information().longTouchForReset
            platform.recorder.expect(
                value == true, "longTouchForReset true", seen: value.map { "\($0)" } ?? "no such member")
        },
        make(
            "enableLongTouchForReset.shortTouch",
            "A short touch does not reset an authenticator that demands a long one.",
            "6.6", needs: [.member(.longTouchForReset), .powerCycle, .simulatedUser]
        ) { platform, token in
            platform.expect(try await platform.configure(.enableLongTouchForReset, token: token), [.ok])
            try await platform.powerCycle()
            try await platform.bench.simulatedUser.tell(.touchBriefly)
            try await platform.refuse(.reset, with: [.operationDenied, .userActionTimeout])
            try await platform.expectOption(.clientPin, true)
        },
    ]

    // MARK: Vendor prototypes

    private static let vendor: [AuthenticatorCase] = [
        make(
            "vendorPrototype.unknown",
            "The subcommand vendorPrototype refuses a command ID that getInfo does not list.", "6.11.3",
            needs: [.member(.vendorPrototypeConfigCommands)]
        ) { platform, token in
            platform.expect(
                try await platform.configure(.vendorPrototype, [0x01: 0x0FFF_FFFF], token: token),
                [.invalidParameter])
        },
        make(
            "vendorPrototype.missing", "The subcommand vendorPrototype refuses a request without a command ID.",
            "6.11.3",
            needs: [.member(.vendorPrototypeConfigCommands)]
        ) { platform, token in
            platform.expect(
                try await platform.configure(.vendorPrototype, token: token), [.missingParameter, .invalidParameter])
        },
        AuthenticatorCase(
            "config.vendorPrototype.notDeclared",
            "The subcommand vendorPrototype is refused where getInfo lists no vendor command.",
            .ctap("6.11.3"), from: .pin, needs: [.optionOn(.authnrCfg)]
        ) { platform in
            guard platform.bench.info.vendorPrototypeConfigCommands == nil else {
                throw CaseStop.notApplicable("getInfo lists vendor commands")
            }
            platform.expect(
                try await platform.configure(
                    .vendorPrototype, [0x01: 1],
                    token: try await platform.pinToken(.authenticatorConfiguration)),
                [.invalidSubcommand, .invalidParameter])
        },
    ]

    private static func make(
        _ name: String, _ title: String, _ section: String, needs: [AuthenticatorNeed],
        _ steps: @escaping @Sendable (Platform, HeldToken) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "config.\(name)", title, .ctap(section), from: .freshPIN, needs: [.optionOn(.authnrCfg)] + needs,
            effects: [.changesSettings]
        ) { platform in
            try await steps(platform, try await platform.pinToken(.authenticatorConfiguration))
        }
    }
}
