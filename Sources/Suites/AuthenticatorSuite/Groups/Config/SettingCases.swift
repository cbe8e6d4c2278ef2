internal import CBOR
internal import CTAP
internal import Conformance
internal import SimulatedDevice

/// The other settings of authenticatorConfig (CTAP 2.3 §6.11.1 to §6.11.5).
enum SettingCases {
    static let all = enterprise + always + longTouch + vendor

    // MARK: Enterprise attestation

    @CaseTable private static var enterprise: [Case] {
        make(
            "enableEnterpriseAttestation.enabled",
            "The subcommand enableEnterpriseAttestation turns enterprise attestation on, and getInfo says so.",
            "6.11.1", needs: [.option(.ep)]
        ) { bench, token in
            bench.expectEmptySuccess(try await bench.configure(.enableEnterpriseAttestation, token: token))
            try await bench.expectOption(.ep, true)
        }
        make(
            "enableEnterpriseAttestation.twice",
            "The subcommand enableEnterpriseAttestation succeeds when it is on already.",
            "6.11.1", needs: [.option(.ep)]
        ) { bench, token in
            for _ in 1...2 {
                bench.expect(try await bench.configure(.enableEnterpriseAttestation, token: token), .ok)
            }
            try await bench.expectOption(.ep, true)
        }
        make(
            "enableEnterpriseAttestation.powerCycle", "Enterprise attestation stays on after a power cycle.",
            "6.11.1", needs: [.option(.ep), .powerCycle]
        ) { bench, token in
            bench.expect(try await bench.configure(.enableEnterpriseAttestation, token: token), .ok)
            try await bench.powerCycle()
            try await bench.expectOption(.ep, true)
        }
        make(
            "enableEnterpriseAttestation.refusedBefore",
            "A registration with enterprise attestation is refused while it is off.", "6.1.2", needs: [.option(.ep)]
        ) { bench, _ in
            var request = bench.makeRequest(token: try await bench.credentialToken(.makeCredential))
            request[0x0A] = 1
            try await bench.refuse(.makeCredential, request, with: [.invalidParameter])
        }
        make(
            "enableEnterpriseAttestation.unknownKind",
            "A registration with an unknown kind of enterprise attestation is refused.", "6.1.2", needs: [.option(.ep)]
        ) { bench, token in
            bench.expect(try await bench.configure(.enableEnterpriseAttestation, token: token), .ok)
            var request = bench.makeRequest(token: try await bench.credentialToken(.makeCredential))
            request[0x0A] = 3
            try await bench.refuse(.makeCredential, request, with: [.invalidOption])
        }
        make(
            "enableEnterpriseAttestation.otherRP",
            "Vendor-facilitated enterprise attestation is not given to a relying party outside its list.", "7.1",
            needs: [.option(.ep)]
        ) { bench, token in
            bench.expect(try await bench.configure(.enableEnterpriseAttestation, token: token), .ok)
            var request = bench.makeRequest(token: try await bench.credentialToken(.makeCredential))
            request[0x0A] = 1
            let response = try await bench.accept(.makeCredential, request)
            bench.expect(response[0x04] != true, "epAtt false or absent", seen: "epAtt true")
        }
        make(
            "enableEnterpriseAttestation.platformManaged",
            "A registration with platform-managed enterprise attestation says that it has one.", "7.1",
            needs: [.option(.ep)]
        ) { bench, token in
            bench.expect(try await bench.configure(.enableEnterpriseAttestation, token: token), .ok)
            var request = bench.makeRequest(token: try await bench.credentialToken(.makeCredential))
            request[0x0A] = 2
            let response = try await bench.accept(.makeCredential, request)
            bench.expect(response[0x04] == true, "epAtt true", seen: "\(response[0x04] ?? .null)", level: .should)
        }
    }

    // MARK: alwaysUv

    @CaseTable private static var always: [Case] {
        make(
            "toggleAlwaysUv.toggled", "The subcommand toggleAlwaysUv changes the setting, and getInfo says so.",
            "6.11.2", needs: [.optionOff(.alwaysUv), .option(.alwaysUv)]
        ) { bench, token in
            bench.expectEmptySuccess(try await bench.configure(.toggleAlwaysUv, token: token))
            try await bench.expectOption(.alwaysUv, true)
        }
        make(
            "toggleAlwaysUv.back",
            "The subcommand toggleAlwaysUv a second time restores the setting, unless the device forbids it.",
            "6.11.2", needs: [.option(.alwaysUv)]
        ) { bench, token in
            let before = bench.info.option(.alwaysUv)
            let first = try await bench.configure(.toggleAlwaysUv, token: token)
            guard first.status != .operationDenied else {
                try await bench.expectOption(.alwaysUv, true)
                return
            }
            bench.expect(first, .ok)
            let second = try await bench.configure(.toggleAlwaysUv, token: token)
            bench.expect(second, .ok, .operationDenied)
            try await bench.expectOption(.alwaysUv, second.status == .ok ? before : before.map { !$0 })
        }
        make(
            "toggleAlwaysUv.powerCycle", "The setting alwaysUv outlives a power cycle.", "6.11.2",
            needs: [.optionOff(.alwaysUv), .option(.alwaysUv), .powerCycle]
        ) { bench, token in
            bench.expect(try await bench.configure(.toggleAlwaysUv, token: token), .ok)
            try await bench.powerCycle()
            try await bench.expectOption(.alwaysUv, true)
        }
    }

    // MARK: Long touch

    @CaseTable private static var longTouch: [Case] {
        make(
            "enableLongTouchForReset.enabled",
            "The subcommand enableLongTouchForReset sets longTouchForReset in getInfo.",
            "6.11.5", needs: [.member(.longTouchForReset)]
        ) { bench, token in
            bench.expectEmptySuccess(try await bench.configure(.enableLongTouchForReset, token: token))
            let value = try await bench.readInfo().longTouchForReset
            bench.expect(value == true, "longTouchForReset true", seen: value.map { "\($0)" } ?? "no such member")
        }
        make(
            "enableLongTouchForReset.twice",
            "The subcommand enableLongTouchForReset succeeds when a long touch is demanded already.", "6.11.5",
            needs: [.member(.longTouchForReset)]
        ) { bench, token in
            for _ in 1...2 { bench.expect(try await bench.configure(.enableLongTouchForReset, token: token), .ok) }
            let value = try await bench.readInfo().longTouchForReset
            bench.expect(value == true, "longTouchForReset true", seen: value.map { "\($0)" } ?? "no such member")
        }
        make(
            "enableLongTouchForReset.powerCycle", "The demand for a long touch outlives a power cycle.", "6.11.5",
            needs: [.member(.longTouchForReset), .powerCycle]
        ) { bench, token in
            bench.expect(try await bench.configure(.enableLongTouchForReset, token: token), .ok)
            try await bench.powerCycle()
            let value = try await bench.readInfo().longTouchForReset
            bench.expect(value == true, "longTouchForReset true", seen: value.map { "\($0)" } ?? "no such member")
        }
        make(
            "enableLongTouchForReset.longTouch", "A long touch resets an authenticator that demands one.", "6.6",
            needs: [.member(.longTouchForReset), .powerCycle, .simulatedDevice]
        ) { bench, token in
            bench.expect(try await bench.configure(.enableLongTouchForReset, token: token), .ok)
            try await bench.powerCycle()
            let answer = try await bench.send(.reset)
            bench.expectEmptySuccess(answer)
            if answer.status == .ok { bench.wasReset() }
        }
        make(
            "enableLongTouchForReset.shortTouch",
            "A short touch does not reset an authenticator that demands a long one.",
            "6.6", needs: [.member(.longTouchForReset), .powerCycle, .simulatedDevice]
        ) { bench, token in
            bench.expect(try await bench.configure(.enableLongTouchForReset, token: token), .ok)
            try await bench.powerCycle()
            try await bench.simulatedUser.tell(.touchBriefly)
            try await bench.refuse(.reset, with: [.operationDenied, .userActionTimeout])
            try await bench.expectOption(.clientPin, true)
        }
    }

    // MARK: Vendor prototypes

    @CaseTable private static var vendor: [Case] {
        make(
            "vendorPrototype.unknown",
            "The subcommand vendorPrototype refuses a command ID that getInfo does not list.", "6.11.3",
            needs: [.member(.vendorPrototypeConfigCommands)]
        ) { bench, token in
            bench.expect(
                try await bench.configure(.vendorPrototype, [0x01: 0x0FFF_FFFF], token: token), .invalidParameter)
        }
        make(
            "vendorPrototype.missing", "The subcommand vendorPrototype refuses a request without a command ID.",
            "6.11.3", needs: [.member(.vendorPrototypeConfigCommands)]
        ) { bench, token in
            bench.expect(
                try await bench.configure(.vendorPrototype, token: token), .missingParameter, .invalidParameter)
        }
        Case(
            "config.vendorPrototype.notDeclared",
            "The subcommand vendorPrototype is refused where getInfo lists no vendor command.",
            .ctap("6.11.3"), from: .pin, needs: [.optionOn(.authnrCfg)]
        ) { bench in
            guard bench.info.vendorPrototypeConfigCommands == nil else {
                throw CaseStop.notApplicable("getInfo lists vendor commands")
            }
            bench.expect(
                try await bench.configure(
                    .vendorPrototype, [0x01: 1], token: try await bench.pinToken(.authenticatorConfiguration)),
                .invalidSubcommand, .invalidParameter)
        }
    }

    private static func make(
        _ name: String, _ title: String, _ section: String, needs: [AuthenticatorNeed],
        _ steps: @escaping @Sendable (AuthenticatorBench, HeldToken) async throws -> Void
    ) -> Case {
        Case(
            "config.\(name)", title, .ctap(section), from: .freshPIN, needs: [.optionOn(.authnrCfg)] + needs,
            effects: [.changesSettings]
        ) { bench in try await steps(bench, try await bench.pinToken(.authenticatorConfiguration)) }
    }
}
