internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

/// The option `uv` of ceremonies, and the rules when user verification is due (CTAP 2.3 §6.1.2, §6.2.2, §7.2).
enum UVOptionCases {
    static let all = option + assertions + failing + notRequired + always

    private static let registration = Clause.ctap("6.1.2", step: "11")
    private static let assertion = Clause.ctap("6.2.2", step: "6")

    @CaseTable private static var option: [Case] {
        Case(
            "uv.option.registration", "A registration with uv verifies the user, and reports it.", registration,
            from: .uv, person: [.verify]
        ) { bench in
            let made = try await bench.make(options: ["uv": true])
            bench.expect(
                made.data.flags.contains([.userPresent, .userVerified]), "UP and UV set",
                seen: made.data.flags.abbreviations)
        }
        Case(
            "uv.option.assertion", "An assertion with uv verifies the user, and reports it.", assertion, from: .uv,
            person: [.verify, .verify]
        ) { bench in
            let made = try await bench.make(options: ["uv": true])
            let given = try await bench.assertion(with: made, options: ["uv": true])
            bench.expect(
                given.data.flags.contains([.userPresent, .userVerified]), "UP and UV set",
                seen: given.data.flags.abbreviations)
        }
        Case(
            "uv.option.assertionWithout", "An assertion without uv does not report a verified user.", assertion,
            from: .uv, needs: [.optionOff(.alwaysUv)], person: [.verify, .touch]
        ) { bench in
            let made = try await bench.make(options: ["uv": true])
            let given = try await bench.assertion(with: made)
            bench.expect(!given.data.flags.contains(.userVerified), "UV clear", seen: given.data.flags.abbreviations)
        }
        Case(
            "uv.option.notConfigured", "A registration with uv is refused while verification is not set up.",
            .ctap("6.1.2", step: "5"), from: .noPIN
        ) { bench in
            guard try await bench.readInfo().option(.uv) != true else {
                throw CaseStop.notApplicable("the built-in user verification needs no set-up")
            }
            bench.expect(try await bench.makeAnswer(options: ["uv": true]), .invalidOption)
        }
        Case(
            "uv.option.assertionNotConfigured", "An assertion with uv is refused while verification is not set up.",
            .ctap("6.2.2", step: "4"), from: .noPIN
        ) { bench in
            guard try await bench.readInfo().option(.uv) != true else {
                throw CaseStop.notApplicable("the built-in user verification needs no set-up")
            }
            bench.expect(try await bench.assert(options: ["uv": true]), .invalidOption)
        }
        Case(
            "uv.option.overriddenByToken", "A token overrides the option uv, which need not be set up then.",
            .ctap("6.1.2", step: "5"), from: .pin, needs: [.ctap21, .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { bench in
            let token = try await bench.credentialToken(.makeCredential)
            let made = try await bench.make(token: token, options: ["uv": true])
            bench.expect(made.data.flags.contains(.userVerified), "UV set", seen: made.data.flags.abbreviations)
        }
    }

    @CaseTable private static var assertions: [Case] {
        Case(
            "uv.option.assertionOverriddenByToken",
            "A token overrides the option uv of an assertion, which need not be set up then.",
            .ctap("6.2.2", step: "4"), from: .pin, needs: [.ctap21, .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeAny()
            let token = try await bench.credentialToken(.getAssertion)
            let given = try await bench.assertion(with: made, options: ["uv": true], token: token)
            bench.expect(given.data.flags.contains(.userVerified), "UV set", seen: given.data.flags.abbreviations)
        }
        Case(
            "uv.option.assertionWrongFingerWithoutPIN",
            "An assertion with uv and another finger is denied where no PIN can help.", assertion, from: .uvOnly,
            effects: [.spendsTries]
        ) { bench in
            let made = try await bench.make(options: ["uv": true])
            let retries = try await bench.uvRetries()
            try await bench.user(.fail)
            bench.expect(
                try await bench.assert(allowing: [made], options: ["uv": true]),
                anyOf: retries > 1 ? [.operationDenied] : [.pinBlocked])
        }
    }

    // MARK: Failures

    @CaseTable private static var failing: [Case] {
        Case(
            "uv.option.wrongFinger", "A registration with uv and another finger leads the platform to the PIN.",
            registration, from: .uvAndPIN, needs: [.optionOff(.noMcGaPermissionsWithClientPin)],
            effects: [.spendsTries], person: [.fail]
        ) { bench in
            try await bench.user(.fail)
            bench.expect(try await bench.makeAnswer(options: ["uv": true]), .puatRequired)
        }
        Case(
            "uv.option.assertionWrongFinger",
            "An assertion with uv and another finger leads the platform to the PIN.", assertion, from: .uvAndPIN,
            needs: [.optionOff(.noMcGaPermissionsWithClientPin)], effects: [.spendsTries], person: [.verify, .fail]
        ) { bench in
            let made = try await bench.make(options: ["uv": true])
            try await bench.user(.fail)
            bench.expect(try await bench.assert(allowing: [made], options: ["uv": true]), .puatRequired)
        }
        Case(
            "uv.option.wrongFingerWithoutPIN",
            "A registration with uv and another finger is denied where no PIN can help.", registration,
            from: .uvOnly, effects: [.spendsTries]
        ) { bench in
            let retries = try await bench.uvRetries()
            try await bench.user(.fail)
            bench.expect(
                try await bench.makeAnswer(options: ["uv": true]),
                anyOf: retries > 1 ? [.operationDenied] : [.pinBlocked])
        }
        Case(
            "uv.option.blockedWithoutPIN",
            "A registration with uv is refused as blocked where verification has no retries and no PIN can help.",
            registration, from: .uvOnly, effects: [.spendsTries]
        ) { bench in
            for _ in 1...25 where try await bench.uvRetries() > 0 {
                try await bench.user(.fail)
                _ = try await bench.makeAnswer(options: ["uv": true])
            }
            bench.expect(try await bench.makeAnswer(options: ["uv": true]), .pinBlocked)
        }
        Case(
            "uv.option.assertionBlockedWithoutPIN",
            "An assertion with uv is refused as blocked where verification has no retries and no PIN can help.",
            assertion, from: .uvOnly, effects: [.spendsTries]
        ) { bench in
            let made = try await bench.make(options: ["uv": true])
            for _ in 1...25 where try await bench.uvRetries() > 0 {
                try await bench.user(.fail)
                _ = try await bench.assert(allowing: [made], options: ["uv": true])
            }
            bench.expect(try await bench.assert(allowing: [made], options: ["uv": true]), .pinBlocked)
        }
        Case(
            "uv.option.timeout", "A registration with uv ends with a time-out when the user does not touch.",
            registration, from: .uvAndPIN, needs: [.simulatedDevice], effects: [.spendsTries], person: [.withholdTouch]
        ) { bench in
            try await bench.user(.withholdTouch)
            bench.expect(try await bench.makeAnswer(options: ["uv": true]), .userActionTimeout)
        }
    }

    // MARK: makeCredUvNotRqd

    @CaseTable private static var notRequired: [Case] {
        Case(
            "uv.notRequired.nonDiscoverable",
            "With makeCredUvNotRqd a non-discoverable credential needs no verification.", .ctap("6.1.2", step: "8"),
            from: .pin, needs: [.optionOn(.makeCredUvNotRqd)], person: [.touch]
        ) { bench in
            let made = try await bench.make()
            bench.expect(
                made.data.flags.contains(.userPresent) && !made.data.flags.contains(.userVerified),
                "UP set and UV clear", seen: made.data.flags.abbreviations)
        }
        Case(
            "uv.notRequired.discoverable", "Even with makeCredUvNotRqd a discoverable credential needs verification.",
            .ctap("6.1.2", step: "8"), from: .pin,
            needs: [.optionOn(.makeCredUvNotRqd), .optionOn(.rk), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in bench.expect(try await bench.makeAnswer(CredentialRequest(discoverable: true)), .puatRequired) }
        Case(
            "uv.required.registration",
            "Without makeCredUvNotRqd a registration on a protected authenticator needs verification.",
            .ctap("6.1.2", step: "7"), from: .pin,
            needs: [.optionOff(.makeCredUvNotRqd), .optionOff(.noMcGaPermissionsWithClientPin), .optionOff(.uv)]
        ) { bench in bench.expect(try await bench.makeAnswer(), .puatRequired) }
        Case(
            "uv.required.assertion", "An assertion on a protected authenticator needs no verification.",
            .ctap("6.2.2"), from: .pin,
            needs: [.optionOff(.alwaysUv), .optionOff(.noMcGaPermissionsWithClientPin)], person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeAny()
            let given = try await bench.assertion(with: made)
            bench.expect(
                given.data.flags.contains(.userPresent) && !given.data.flags.contains(.userVerified),
                "UP set and UV clear", seen: given.data.flags.abbreviations)
        }
    }

    // MARK: alwaysUv

    @CaseTable private static var always: [Case] {
        alwaysUV("declared", "With alwaysUv getInfo says that verification is always required.") { bench in
            try await bench.expectOption(.alwaysUv, true)
            let versions = bench.info.versions
            bench.expect(!versions.contains("U2F_V2"), "versions without U2F_V2", seen: "\(versions)")
            let notRequired = bench.info.option(.makeCredUvNotRqd)
            bench.expect(notRequired != true, "makeCredUvNotRqd false or absent", seen: "makeCredUvNotRqd true")
        }
        alwaysUV("registration", "With alwaysUv a registration without verification is refused.") { bench in
            bench.expect(try await bench.makeAnswer(), .puatRequired)
        }
        alwaysUV("assertion", "With alwaysUv an assertion without verification is refused.") { bench in
            bench.expect(try await bench.assert(), .puatRequired)
        }
        alwaysUV("silentAssertion", "With alwaysUv an assertion without user presence needs no verification.") {
            bench in
            let answer = try await bench.assert(silently: true)
            bench.expect(
                answer.status != .puatRequired, "an answer that demands no user verification", seen: answer.seen)
        }
        alwaysUV("token", "With alwaysUv a registration with a token succeeds.") { bench in
            let made = try await bench.make(token: try await bench.credentialToken(.makeCredential))
            bench.expect(made.data.flags.contains(.userVerified), "UV set", seen: made.data.flags.abbreviations)
        }
        alwaysUV("assertionToken", "With alwaysUv an assertion with a token succeeds.") { bench in
            let made = try await bench.makeAny()
            let given = try await bench.assertion(with: made, token: try await bench.credentialToken(.getAssertion))
            bench.expect(given.data.flags.contains(.userVerified), "UV set", seen: given.data.flags.abbreviations)
        }
        alwaysUV("u2f", "With alwaysUv U2F is off.", needs: [.u2f]) { bench in
            let request = U2FRequest(instruction: .register, data: bench.randomBytes(64)).encoded
            let answer = try await bench.sendU2F(request)
            bench.expect(
                answer.status != .noError, "a refusal of the registration", seen: "\(answer.status)",
                clause: .ctap("7.2.4"))
        }
        unprotectedAlwaysUV("registration") { bench in bench.expect(try await bench.makeAnswer(), .puatRequired) }
        Case(
            "uv.always.unprotected.off",
            "With alwaysUv on and no PIN and no finger, toggleAlwaysUv needs no token.", .ctap("6.11"), from: .noPIN,
            needs: [.option(.alwaysUv), .option(.clientPin), .optionOn(.authnrCfg)], effects: [.changesSettings]
        ) { bench in
            if bench.info.option(.alwaysUv) == false {
                try bench.require(try await bench.configure(.toggleAlwaysUv, token: nil), .ok)
            }
            // A device may keep the setting on (CTAP 2.3 §6.11.2).
            bench.expect(try await bench.configure(.toggleAlwaysUv, token: nil), .ok, .operationDenied)
        }
        unprotectedAlwaysUV("assertion") { bench in bench.expect(try await bench.assert(), .puatRequired) }
        Case(
            "uv.always.upgraded", "With alwaysUv a request without authorisation uses built-in verification.",
            .ctap("7.2"), from: .uvAndPIN, needs: [.optionOn(.alwaysUv)], person: [.verify]
        ) { bench in
            let made = try await bench.make()
            bench.expect(made.data.flags.contains(.userVerified), "UV set", seen: made.data.flags.abbreviations)
        }
        Case(
            "uv.always.assertionUpgraded",
            "With alwaysUv an assertion without authorisation uses built-in verification.", .ctap("7.2"),
            from: .uvAndPIN, needs: [.optionOn(.alwaysUv)], person: [.verify, .verify]
        ) { bench in
            let made = try await bench.make()
            let given = try await bench.assertion(with: made)
            bench.expect(given.data.flags.contains(.userVerified), "UV set", seen: given.data.flags.abbreviations)
        }
    }

    /// A case on an authenticator that requires a verification which is not set up.
    private static func unprotectedAlwaysUV(
        _ request: String, _ steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) -> Case {
        Case(
            "uv.always.unprotected.\(request)",
            "With alwaysUv a request for a \(request) is refused while neither a PIN nor a finger is set up.",
            .ctap("7.2"), from: .noPIN,
            needs: [
                .option(.alwaysUv), .option(.clientPin), .optionOn(.authnrCfg),
                .optionOff(.noMcGaPermissionsWithClientPin),
            ], effects: [.changesSettings]
        ) { bench in
            if bench.info.option(.alwaysUv) == false {
                bench.expect(try await bench.configure(.toggleAlwaysUv, token: nil), .ok)
            }
            try await steps(bench)
        }
    }

    private static func alwaysUV(
        _ name: String, _ title: String, needs: [AuthenticatorNeed] = [],
        _ steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) -> Case {
        Case(
            "uv.always.\(name)", title, .ctap("7.2"), from: .freshPIN,
            needs: needs + [.option(.alwaysUv), .optionOn(.authnrCfg), .optionOff(.noMcGaPermissionsWithClientPin)],
            effects: [.changesSettings], person: [.touch]
        ) { bench in
            if bench.info.option(.alwaysUv) == false {
                let token = try await bench.pinToken(.authenticatorConfiguration)
                bench.expect(try await bench.configure(.toggleAlwaysUv, token: token), .ok)
            }
            try await steps(bench)
        }
    }
}
