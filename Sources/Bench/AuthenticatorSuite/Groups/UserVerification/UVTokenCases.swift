internal import CBOR
internal import CTAP
internal import Conformance

/// Tokens by built-in user verification (CTAP 2.3 §6.5.5.7.3).
enum UVTokenCases {
    static let all =
        malformed + PINUVAuthProtocol.allCases.map(token) + permissions + [present, presenceEnds, unconfigured]
        + failing

    private static let clause = Clause.ctap("6.5.5.7.3")
    private static let needs: [AuthenticatorNeed] = [.optionOn(.pinUvAuthToken)]

    private static let changes: [RequestChange] = [
        .missing(PINMember.pinUvAuthProtocol, "pinUvAuthProtocol"), .missing(PINMember.keyAgreement, "keyAgreement"),
        .missing(PINMember.permissions, "permissions"), .missing(PINMember.rpID, "rpId"),
        .wrongType(PINMember.permissions, "permissions", "ga"), .wrongType(PINMember.rpID, "rpId", .bytes([1])),
        .value("permissionsZero", "with permissions 0", PINMember.permissions, 0, [.invalidParameter]),
        .value(
            "unknownProtocol", "of an unknown PIN/UV auth protocol", PINMember.pinUvAuthProtocol, 0x7E,
            [.invalidParameter]),
    ]

    private static let malformed: [AuthenticatorCase] = changes.map { change in
        AuthenticatorCase(
            "uv.token.\(change.name)",
            "A request for a token by built-in verification \(change.words) is refused.", clause, from: .uv,
            needs: needs
        ) { platform in
            var request = platform.tokenRequest(
                try await platform.agree(try platform.preferred), byUV: .getAssertion, rpID: platform.rpID)
            change.apply(&request)
            try await platform.refuse(.clientPIN, request, with: change.statuses)
        }
    }

    private static func token(_ pinProtocol: PINUVAuthProtocol) -> AuthenticatorCase {
        AuthenticatorCase(
            "uv.token.protocol\(pinProtocol.rawValue)",
            "Built-in verification gives a token under PIN/UV auth protocol \(pinProtocol).", clause, from: .uv,
            needs: needs + [.pinProtocol(pinProtocol)], person: [.verify]
        ) { platform in
            let token = try await platform.uvToken(.getAssertion, rpID: platform.rpID, protocol: pinProtocol)
            platform.expect(try await platform.assert(silently: true, token: token), [.noCredentials])
        }
    }

    /// Each permission: given where it is declared, refused where it is not.
    private static let permissions: [AuthenticatorCase] = TokenPermission.all.map { permission in
        AuthenticatorCase(
            "uv.token.permission.\(permission.name)",
            "Built-in verification gives the permission \(permission.name) exactly where getInfo allows it.",
            .ctap("6.5.5.7"), from: .uv, needs: needs, person: [.verify]
        ) { platform in
            let info = try await platform.information()
            let isDeclared =
                switch permission.bit {
                case .makeCredential, .getAssertion: true
                case .bioEnrollment: info.option(.uvBioEnroll) == true
                case .authenticatorConfiguration: info.option(.uvAcfg) == true
                default: permission.isDeclared(info)
                }
            let agreed = try await platform.agree(try platform.preferred)
            let answer = try await platform.send(
                .clientPIN,
                platform.tokenRequest(
                    agreed, byUV: permission.bit, rpID: permission.needsRPID ? platform.rpID : nil))
            platform.expect(answer, [isDeclared ? .ok : .unauthorizedPermission])
        }
    }

    private static let present = AuthenticatorCase(
        "uv.token.userPresent", "A registration with a fresh token by built-in verification asks for no touch.",
        .ctap("6.1.2", step: "14"), from: .uv, needs: needs, person: [.verify]
    ) { platform in
        let token = try await platform.uvToken(.makeCredential, rpID: platform.rpID)
        let answer = try await platform.makeAnswer(token: token)
        platform.expect(answer, [.ok])
        platform.recorder.expect(
            !answer.askedForUser, "no request for a touch", seen: "a keepalive that asks for one", level: .should)
    }

    private static let presenceEnds = AuthenticatorCase(
        "uv.token.presenceEnds", "A registration asks for a touch after the user present time limit of its token.",
        .ctap("6.5.2.1"), from: .uv, needs: needs + [.simulatedUser], person: [.verify, .touch]
    ) { platform in
        let token = try await platform.uvToken([.makeCredential, .getAssertion], rpID: platform.rpID)
        // A use within the initial usage time limit keeps the token.
        platform.expect(try await platform.assert(silently: true, token: token), [.noCredentials])
        try await platform.advance(by: .seconds(31))
        let answer = try await platform.makeAnswer(token: token)
        platform.expect(answer, [.ok])
        platform.recorder.expect(answer.askedForUser, "a keepalive that asks for a touch", seen: "none")
    }

    private static let unconfigured = AuthenticatorCase(
        "uv.token.notConfigured", "No token is given by built-in verification that is not set up.", clause,
        from: .noPIN, needs: [.option(.uv)] + needs
    ) { platform in
        guard try await platform.information().option(.uv) == false else {
            throw CaseStop.notApplicable("the built-in user verification needs no set-up")
        }
        let agreed = try await platform.agree(try platform.preferred)
        try await platform.refuse(
            .clientPIN, platform.tokenRequest(agreed, byUV: .getAssertion, rpID: platform.rpID), with: [.notAllowed])
    }

    // MARK: Failures

    private static let failing: [AuthenticatorCase] = [
        AuthenticatorCase(
            "uv.token.wrongFinger", "Another finger gives no token and costs a retry.", clause, from: .uvAndPIN,
            needs: needs, effects: [.spendsTries], person: [.fail]
        ) { platform in
            let before = try await platform.uvRetries()
            platform.expect(try await platform.failUV(), [.uvInvalid])
            let after = try await platform.uvRetries()
            platform.recorder.expect(after < before, "fewer than \(before) retries", seen: "\(after)")
        },
        AuthenticatorCase(
            "uv.token.blocked", "Without retries built-in verification is blocked.", clause, from: .uvAndPIN,
            needs: needs, effects: [.spendsTries], person: [.fail, .fail, .fail, .fail, .fail]
        ) { platform in
            try await platform.blockUV()
            let agreed = try await platform.agree(try platform.preferred)
            try await platform.refuse(
                .clientPIN, platform.tokenRequest(agreed, byUV: .getAssertion, rpID: platform.rpID),
                with: [.uvBlocked])
        },
        AuthenticatorCase(
            "uv.token.blockPersists", "A power cycle does not restore the retries of built-in verification.",
            .ctap("6.5.2.3"), from: .uvAndPIN, needs: needs + [.powerCycle], effects: [.spendsTries],
            person: [.fail, .replug]
        ) { platform in
            platform.expect(try await platform.failUV(), [.uvInvalid])
            let before = try await platform.uvRetries()
            try await platform.powerCycle()
            let after = try await platform.uvRetries()
            platform.recorder.expect(after == before, "\(before) retries", seen: "\(after)")
        },
        AuthenticatorCase(
            "uv.token.pinUnblocks", "The right PIN restores the retries of built-in verification.",
            .ctap("6.5.5.7.1"), from: .uvAndPIN, needs: needs, effects: [.spendsTries],
            person: [.fail, .fail, .fail, .fail, .fail]
        ) { platform in
            let full = try await platform.uvRetries()
            try await platform.blockUV()
            platform.expect(try await platform.present(try platform.pin), [.ok])
            let after = try await platform.uvRetries()
            platform.recorder.expect(after == full, "\(full) retries", seen: "\(after)")
        },
        AuthenticatorCase(
            "uv.token.successRefills", "A match restores the retries of built-in verification.", .ctap("6.5.3.1"),
            from: .uvAndPIN, needs: needs, effects: [.spendsTries], person: [.fail, .verify]
        ) { platform in
            let full = try await platform.uvRetries()
            platform.expect(try await platform.failUV(), [.uvInvalid])
            _ = try await platform.uvToken(.getAssertion, rpID: platform.rpID)
            let after = try await platform.uvRetries()
            platform.recorder.expect(after == full, "\(full) retries", seen: "\(after)")
        },
        AuthenticatorCase(
            "uv.token.timeout", "A user who does not touch the sensor ends the request with a time-out.", clause,
            from: .uvAndPIN, needs: needs + [.simulatedUser], effects: [.spendsTries], person: [.withholdTouch]
        ) { platform in
            let agreed = try await platform.agree(try platform.preferred)
            try await platform.bench.user(.withholdTouch)
            try await platform.refuse(
                .clientPIN, platform.tokenRequest(agreed, byUV: .getAssertion, rpID: platform.rpID),
                with: [.userActionTimeout])
        },
        AuthenticatorCase(
            "uv.token.pinBlockedBlocks", "A blocked PIN also blocks built-in verification.", .ctap("6.5.3.1"),
            from: .uvAndPIN, needs: needs + [.powerCycle], effects: [.spendsTries, .erases],
            person: [.replug, .replug, .replug, .touch]
        ) { platform in
            try await platform.blockPIN()
            let agreed = try await platform.agree(try platform.preferred)
            try await platform.refuse(
                .clientPIN, platform.tokenRequest(agreed, byUV: .getAssertion, rpID: platform.rpID),
                with: [.uvBlocked])
            let retries = try await platform.uvRetries()
            platform.recorder.expect(retries == 0, "0 retries", seen: "\(retries)", clause: .ctap("6.5.5.3"))
        },
    ]
}

extension Platform {
    /// Asks for a token while the user presents another finger.
    func failUV() async throws -> AuthenticatorAnswer {
        let agreed = try await agree(try preferred)
        try await bench.user(.fail)
        return try await send(.clientPIN, tokenRequest(agreed, byUV: .getAssertion, rpID: rpID))
    }

    /// Fails at the sensor until built-in verification is blocked.
    func blockUV() async throws {
        for _ in 1...25 {
            guard try await uvRetries() > 0 else { return }
            let answer = try await failUV()
            expect(answer, [.uvInvalid, .uvBlocked])
            guard answer.status == .uvInvalid else { return }
        }
    }
}
