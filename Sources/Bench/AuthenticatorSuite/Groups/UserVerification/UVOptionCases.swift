internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

/// The option `uv` of ceremonies, and the rules when user verification is due (CTAP 2.3 §6.1.2, §6.2.2, §7.2).
enum UVOptionCases {
    static let all = option + failing + notRequired + always

    private static let registration = Clause.ctap("6.1.2", step: "11")
    private static let assertion = Clause.ctap("6.2.2", step: "6")

    private static let option: [AuthenticatorCase] = [
        AuthenticatorCase(
            "uv.option.registration", "A registration with uv verifies the user, and reports it.", registration,
            from: .uv, person: [.verify]
        ) { platform in
            let made = try await platform.make(options: ["uv": true])
            platform.recorder.expect(
                made.data.flags.contains([.userPresent, .userVerified]), "UP and UV set",
                seen: made.data.flags.abbreviations)
        },
        AuthenticatorCase(
            "uv.option.assertion", "An assertion with uv verifies the user, and reports it.", assertion, from: .uv,
            person: [.verify, .verify]
        ) { platform in
            let made = try await platform.make(options: ["uv": true])
            let given = try await platform.assertion(with: made, options: ["uv": true])
            platform.recorder.expect(
                given.data.flags.contains([.userPresent, .userVerified]), "UP and UV set",
                seen: given.data.flags.abbreviations)
        },
        AuthenticatorCase(
            "uv.option.assertionWithout", "An assertion without uv does not report a verified user.", assertion,
            from: .uv, needs: [.optionOff(.alwaysUv)], person: [.verify, .touch]
        ) { platform in
            let made = try await platform.make(options: ["uv": true])
            let given = try await platform.assertion(with: made)
            platform.recorder.expect(
                !given.data.flags.contains(.userVerified), "UV clear", seen: given.data.flags.abbreviations)
        },
        AuthenticatorCase(
            "uv.option.notConfigured", "A registration with uv is refused while verification is not set up.",
            .ctap("6.1.2", step: "5"), from: .noPIN
        ) { platform in
            guard try await platform.information().option(.uv) != true else {
                throw CaseStop.notApplicable("the built-in user verification needs no set-up")
            }
            platform.expect(try await platform.makeAnswer(options: ["uv": true]), [.invalidOption])
        },
        AuthenticatorCase(
            "uv.option.assertionNotConfigured",
            "An assertion with uv is refused while verification is not set up.", .ctap("6.2.2", step: "4"),
            from: .noPIN
        ) { platform in
            guard try await platform.information().option(.uv) != true else {
                throw CaseStop.notApplicable("the built-in user verification needs no set-up")
            }
            platform.expect(try await platform.assert(options: ["uv": true]), [.invalidOption])
        },
        AuthenticatorCase(
            "uv.option.overriddenByToken", "A token overrides the option uv, which need not be set up then.",
            .ctap("6.1.2", step: "5"), from: .pin, needs: [.optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { platform in
            let token = try await platform.credentialToken(.makeCredential)
            let made = try await platform.make(token: token, options: ["uv": true])
            platform.recorder.expect(
                made.data.flags.contains(.userVerified), "UV set", seen: made.data.flags.abbreviations)
        },
    ]

    // MARK: Failures

    private static let failing: [AuthenticatorCase] = [
        AuthenticatorCase(
            "uv.option.wrongFinger", "A registration with uv and another finger leads the platform to the PIN.",
            registration, from: .uvAndPIN, needs: [.optionOff(.noMcGaPermissionsWithClientPin)],
            effects: [.spendsTries], person: [.fail]
        ) { platform in
            try await platform.bench.user(.fail)
            platform.expect(try await platform.makeAnswer(options: ["uv": true]), [.puatRequired])
        },
        AuthenticatorCase(
            "uv.option.assertionWrongFinger",
            "An assertion with uv and another finger leads the platform to the PIN.", assertion, from: .uvAndPIN,
            needs: [.optionOff(.noMcGaPermissionsWithClientPin)], effects: [.spendsTries], person: [.verify, .fail]
        ) { platform in
            let made = try await platform.make(options: ["uv": true])
            try await platform.bench.user(.fail)
            platform.expect(
                try await platform.assert(allowing: [made], options: ["uv": true]), [.puatRequired])
        },
        AuthenticatorCase(
            "uv.option.wrongFingerWithoutPIN",
            "A registration with uv and another finger is denied where no PIN can help.", registration,
            from: .uvOnly, effects: [.spendsTries]
        ) { platform in
            let retries = try await platform.uvRetries()
            try await platform.bench.user(.fail)
            platform.expect(
                try await platform.makeAnswer(options: ["uv": true]),
                retries > 1 ? [.operationDenied] : [.pinBlocked])
        },
        AuthenticatorCase(
            "uv.option.blockedWithoutPIN",
            "A registration with uv is refused as blocked where verification has no retries and no PIN can help.",
            registration, from: .uvOnly, effects: [.spendsTries]
        ) { platform in
            for _ in 1...25 where try await platform.uvRetries() > 0 {
                try await platform.bench.user(.fail)
                _ = try await platform.makeAnswer(options: ["uv": true])
            }
            platform.expect(try await platform.makeAnswer(options: ["uv": true]), [.pinBlocked])
        },
        AuthenticatorCase(
            "uv.option.assertionBlockedWithoutPIN",
            "An assertion with uv is refused as blocked where verification has no retries and no PIN can help.",
            assertion, from: .uvOnly, effects: [.spendsTries]
        ) { platform in
            let made = try await platform.make(options: ["uv": true])
            for _ in 1...25 where try await platform.uvRetries() > 0 {
                try await platform.bench.user(.fail)
                _ = try await platform.assert(allowing: [made], options: ["uv": true])
            }
            platform.expect(try await platform.assert(allowing: [made], options: ["uv": true]), [.pinBlocked])
        },
        AuthenticatorCase(
            "uv.option.timeout", "A registration with uv ends with a time-out when the user does not touch.",
            registration, from: .uvAndPIN, needs: [.simulatedUser], effects: [.spendsTries],
            person: [.withholdTouch]
        ) { platform in
            try await platform.bench.user(.withholdTouch)
            platform.expect(try await platform.makeAnswer(options: ["uv": true]), [.userActionTimeout])
        },
    ]

    // MARK: makeCredUvNotRqd

    private static let notRequired: [AuthenticatorCase] = [
        AuthenticatorCase(
            "uv.notRequired.nonDiscoverable",
            "With makeCredUvNotRqd a non-discoverable credential needs no verification.", .ctap("6.1.2", step: "8"),
            from: .pin, needs: [.optionOn(.makeCredUvNotRqd)], person: [.touch]
        ) { platform in
            let made = try await platform.make()
            platform.recorder.expect(
                made.data.flags.contains(.userPresent) && !made.data.flags.contains(.userVerified),
                "UP set and UV clear", seen: made.data.flags.abbreviations)
        },
        AuthenticatorCase(
            "uv.notRequired.discoverable",
            "Even with makeCredUvNotRqd a discoverable credential needs verification.", .ctap("6.1.2", step: "8"),
            from: .pin,
            needs: [
                .optionOn(.makeCredUvNotRqd), .optionOn(.rk), .optionOff(.noMcGaPermissionsWithClientPin),
            ]
        ) { platform in
            platform.expect(
                try await platform.makeAnswer(CredentialWish(discoverable: true)), [.puatRequired])
        },
        AuthenticatorCase(
            "uv.required.registration",
            "Without makeCredUvNotRqd a registration on a protected authenticator needs verification.",
            .ctap("6.1.2", step: "7"), from: .pin,
            needs: [.optionOff(.makeCredUvNotRqd), .optionOff(.noMcGaPermissionsWithClientPin), .optionOff(.uv)]
        ) { platform in
            platform.expect(try await platform.makeAnswer(), [.puatRequired])
        },
        AuthenticatorCase(
            "uv.required.assertion", "An assertion on a protected authenticator needs no verification.",
            .ctap("6.2.2"), from: .pin,
            needs: [.optionOff(.alwaysUv), .optionOff(.noMcGaPermissionsWithClientPin)], person: [.touch, .touch]
        ) { platform in
            let made = try await platform.makeAny()
            let given = try await platform.assertion(with: made)
            platform.recorder.expect(
                given.data.flags.contains(.userPresent) && !given.data.flags.contains(.userVerified),
                "UP set and UV clear", seen: given.data.flags.abbreviations)
        },
    ]

    // MARK: alwaysUv

    private static let always: [AuthenticatorCase] = [
        alwaysUV("declared", "With alwaysUv getInfo says that verification is always required.") { platform in
            try await platform.expectOption(.alwaysUv, true)
            let versions = platform.bench.info.versions
            platform.recorder.expect(!versions.contains("U2F_V2"), "versions without U2F_V2", seen: "\(versions)")
            let notRequired = platform.bench.info.option(.makeCredUvNotRqd)
            platform.recorder.expect(
                notRequired != true, "makeCredUvNotRqd false or absent", seen: "makeCredUvNotRqd true")
        },
        alwaysUV("registration", "With alwaysUv a registration without verification is refused.") { platform in
            platform.expect(try await platform.makeAnswer(), [.puatRequired])
        },
        alwaysUV("assertion", "With alwaysUv an assertion without verification is refused.") { platform in
            platform.expect(try await platform.assert(), [.puatRequired])
        },
        alwaysUV("silentAssertion", "With alwaysUv an assertion without user presence needs no verification.") {
            platform in
            platform.expect(try await platform.assert(silently: true), [.noCredentials])
        },
        alwaysUV("token", "With alwaysUv a registration with a token succeeds.") { platform in
            let made = try await platform.make(token: try await platform.credentialToken(.makeCredential))
            platform.recorder.expect(
                made.data.flags.contains(.userVerified), "UV set", seen: made.data.flags.abbreviations)
        },
        alwaysUV("u2f", "With alwaysUv U2F is off.", needs: [.u2f]) { platform in
            let request = U2FRequest(instruction: .register, data: platform.bench.randomBytes(64)).encoded
            let answer = try await platform.bench.sendU2F(request)
            platform.recorder.expect(
                answer.status != .noError, "a refusal of the registration", seen: "\(answer.status)",
                clause: .ctap("7.2.4"))
        },
        unprotectedAlwaysUV("registration") { platform in
            platform.expect(try await platform.makeAnswer(), [.puatRequired])
        },
        unprotectedAlwaysUV("assertion") { platform in
            platform.expect(try await platform.assert(), [.puatRequired])
        },
        AuthenticatorCase(
            "uv.always.upgraded", "With alwaysUv a request without authorisation uses built-in verification.",
            .ctap("7.2"), from: .uvAndPIN, needs: [.optionOn(.alwaysUv)], person: [.verify]
        ) { platform in
            let made = try await platform.make()
            platform.recorder.expect(
                made.data.flags.contains(.userVerified), "UV set", seen: made.data.flags.abbreviations)
        },
    ]

    /// A case on an authenticator that requires a verification which is not set up.
    private static func unprotectedAlwaysUV(
        _ request: String, _ steps: @escaping @Sendable (Platform) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "uv.always.unprotected.\(request)",
            "With alwaysUv a request for a \(request) is refused while neither a PIN nor a finger is set up.",
            .ctap("7.2"), from: .noPIN,
            needs: [
                .option(.alwaysUv), .option(.clientPin), .optionOn(.authnrCfg),
                .optionOff(.noMcGaPermissionsWithClientPin),
            ],
            effects: [.changesSettings]
        ) { platform in
            if platform.bench.info.option(.alwaysUv) == false {
                platform.expect(try await platform.configure(.toggleAlwaysUv, token: nil), [.ok])
            }
            try await steps(platform)
        }
    }

    private static func alwaysUV(
        _ name: String, _ title: String, needs: [AuthenticatorNeed] = [],
        _ steps: @escaping @Sendable (Platform) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "uv.always.\(name)", title, .ctap("7.2"), from: .freshPIN,
            needs: needs + [.option(.alwaysUv), .optionOn(.authnrCfg), .optionOff(.noMcGaPermissionsWithClientPin)],
            effects: [.changesSettings], person: [.touch]
        ) { platform in
            if platform.bench.info.option(.alwaysUv) == false {
                let token = try await platform.pinToken(.authenticatorConfiguration)
                platform.expect(try await platform.configure(.toggleAlwaysUv, token: token), [.ok])
            }
            try await steps(platform)
        }
    }
}
