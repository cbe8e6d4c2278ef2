internal import CBOR
internal import CTAP
internal import Conformance

/// Tokens by built-in user verification (CTAP 2.3 §6.5.5.7.3).
enum UVTokenCases {
    static let all =
        malformed + PINUVAuthProtocol.allCases.map(token) + permissions
        + [present, presentExcluded, presentAssertion, presenceEnds, unconfigured, count]
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

    @CaseTable private static var malformed: [Case] {
        for change in changes {
            Case(
                "uv.token.\(change.name)", "A request for a token by built-in verification \(change.words) is refused.",
                clause, from: .uv, needs: needs
            ) { bench in
                var request = bench.tokenRequest(
                    try await bench.agree(try bench.preferredProtocol), byUV: .getAssertion, rpID: bench.relyingPartyID)
                change.apply(&request)
                try await bench.refuse(.clientPIN, request, with: change.statuses)
            }
        }
    }

    private static func token(_ pinProtocol: PINUVAuthProtocol) -> Case {
        Case(
            "uv.token.protocol\(pinProtocol.rawValue)",
            "Built-in verification gives a token under PIN/UV auth protocol \(pinProtocol).", clause, from: .uv,
            needs: needs + [.pinProtocol(pinProtocol)], person: [.verify]
        ) { bench in
            let token = try await bench.uvToken(.getAssertion, rpID: bench.relyingPartyID, protocol: pinProtocol)
            bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: token))
        }
    }

    /// Each permission: given where it is declared, refused where it is not.
    @CaseTable private static var permissions: [Case] {
        for permission in TokenPermission.all {
            Case(
                "uv.token.permission.\(permission.name)",
                "Built-in verification gives the permission \(permission.name) exactly where getInfo allows it.",
                .ctap("6.5.5.7"), from: .uv, needs: needs, person: [.verify]
            ) { bench in
                let info = try await bench.readInfo()
                let isDeclared =
                    switch permission.bit {
                    case .makeCredential, .getAssertion: true
                    case .bioEnrollment: info.option(.uvBioEnroll) == true
                    case .authenticatorConfiguration: info.option(.uvAcfg) == true
                    default: permission.isDeclared(info)
                    }
                let agreed = try await bench.agree(try bench.preferredProtocol)
                let answer = try await bench.send(
                    .clientPIN,
                    bench.tokenRequest(
                        agreed, byUV: permission.bit, rpID: permission.needsRPID ? bench.relyingPartyID : nil))
                bench.expect(answer, anyOf: [isDeclared ? .ok : .unauthorizedPermission])
            }
        }
    }

    private static let present = Case(
        "uv.token.userPresent", "A registration with a fresh token by built-in verification asks for no touch.",
        .ctap("6.1.2", step: "14"), from: .uv, needs: needs, person: [.verify]
    ) { bench in
        let token = try await bench.uvToken(.makeCredential, rpID: bench.relyingPartyID)
        let answer = try await bench.makeAnswer(token: token)
        bench.expect(answer, .ok)
        bench.expectNoTouchRequest(before: answer)
    }

    private static let presentExcluded = Case(
        "uv.token.userPresentExcluded",
        "An excluded registration with a fresh token by built-in verification asks for no touch.",
        .ctap("6.1.2", step: "12"), from: .uv, needs: needs, person: [.verify, .verify]
    ) { bench in
        let made = try await bench.makeAny()
        var request = bench.makeRequest(
            token: try await bench.uvToken(.makeCredential, rpID: bench.relyingPartyID))
        request[0x05] = .array([made.descriptor])
        let answer = try await bench.send(.makeCredential, request)
        bench.expect(answer, .credentialExcluded)
        bench.expectNoTouchRequest(before: answer)
    }

    private static let presentAssertion = Case(
        "uv.token.userPresentAssertion", "An assertion with a fresh token by built-in verification asks for no touch.",
        .ctap("6.2.2"), from: .uv, needs: needs, person: [.verify, .verify]
    ) { bench in
        let made = try await bench.makeAny()
        let token = try await bench.uvToken(.getAssertion, rpID: bench.relyingPartyID)
        let answer = try await bench.assert(allowing: [made], token: token)
        bench.expect(answer, .ok)
        bench.expectNoTouchRequest(before: answer)
    }

    private static let count = Case(
        "uv.token.count",
        "The member uvCountSinceLastPinEntry counts built-in verifications, and the right PIN clears it.",
        .ctap("6.4"), from: .uvAndPIN, needs: needs + [.member(.uvCountSinceLastPinEntry)], person: [.verify, .verify]
    ) { bench in
        let before = try await bench.readInfo().uvCountSinceLastPinEntry ?? 0
        for _ in 1...2 { _ = try await bench.uvToken(.getAssertion, rpID: bench.relyingPartyID) }
        let after = try await bench.readInfo().uvCountSinceLastPinEntry ?? 0
        // Failed attempts within a request count, too.
        bench.expect(after >= before + 2, "\(before + 2) verifications or more", seen: "\(after)")
        bench.expect(try await bench.present(try bench.knownPIN), .ok)
        let cleared = try await bench.readInfo().uvCountSinceLastPinEntry ?? 0
        bench.expect(cleared == 0, "0 verifications after the PIN", seen: "\(cleared)")
    }

    private static let presenceEnds = Case(
        "uv.token.presenceEnds", "A registration asks for a touch after the user present time limit of its token.",
        .ctap("6.5.2.1"), from: .uv, needs: needs + [.simulatedDevice], person: [.verify, .touch]
    ) { bench in
        let token = try await bench.uvToken([.makeCredential, .getAssertion], rpID: bench.relyingPartyID)
        // A use within the initial usage time limit keeps the token.
        bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: token))
        try await bench.wait(.seconds(31))
        let answer = try await bench.makeAnswer(token: token)
        bench.expect(answer, .ok)
        bench.expect(answer.askedForUser, "a keepalive that asks for a touch", seen: "none")
    }

    private static let unconfigured = Case(
        "uv.token.notConfigured", "No token is given by built-in verification that is not set up.", clause,
        from: .noPIN, needs: [.option(.uv)] + needs
    ) { bench in
        guard try await bench.readInfo().option(.uv) == false else {
            throw CaseStop.notApplicable("the built-in user verification needs no set-up")
        }
        try await bench.refuseUVToken(with: [.notAllowed])
    }

    // MARK: Failures

    @CaseTable private static var failing: [Case] {
        Case(
            "uv.token.wrongFinger", "Another finger gives no token and costs a retry.", clause, from: .uvAndPIN,
            needs: needs, effects: [.spendsTries], person: [.fail]
        ) { bench in
            let before = try await bench.uvRetries()
            bench.expect(try await bench.failUV(), .uvInvalid)
            let after = try await bench.uvRetries()
            bench.expect(after < before, "fewer than \(before) retries", seen: "\(after)")
        }
        Case(
            "uv.token.blocked", "Without retries built-in verification is blocked.", clause, from: .uvAndPIN,
            needs: needs, effects: [.spendsTries], person: [.fail, .fail, .fail, .fail, .fail]
        ) { bench in
            try await bench.blockUV()
            try await bench.refuseUVToken(with: [.uvBlocked])
        }
        Case(
            "uv.token.blockPersists", "A power cycle does not restore the retries of built-in verification.",
            .ctap("6.5.2.3"), from: .uvAndPIN, needs: needs + [.powerCycle], effects: [.spendsTries],
            person: [.fail, .replug]
        ) { bench in
            bench.expect(try await bench.failUV(), .uvInvalid)
            let before = try await bench.uvRetries()
            try await bench.powerCycle()
            let after = try await bench.uvRetries()
            bench.expect(after == before, "\(before) retries", seen: "\(after)")
        }
        Case(
            "uv.token.pinUnblocks", "The right PIN restores the retries of built-in verification.", .ctap("6.5.5.7.1"),
            from: .uvAndPIN, needs: needs, effects: [.spendsTries], person: [.fail, .fail, .fail, .fail, .fail]
        ) { bench in
            let full = try await bench.uvRetries()
            try await bench.blockUV()
            bench.expect(try await bench.present(try bench.knownPIN), .ok)
            let after = try await bench.uvRetries()
            bench.expect(after == full, "\(full) retries", seen: "\(after)")
        }
        Case(
            "uv.token.successRefills", "A match restores the retries of built-in verification.", .ctap("6.5.3.1"),
            from: .uvAndPIN, needs: needs, effects: [.spendsTries], person: [.fail, .verify]
        ) { bench in
            let full = try await bench.uvRetries()
            bench.expect(try await bench.failUV(), .uvInvalid)
            _ = try await bench.uvToken(.getAssertion, rpID: bench.relyingPartyID)
            let after = try await bench.uvRetries()
            bench.expect(after == full, "\(full) retries", seen: "\(after)")
        }
        Case(
            "uv.token.timeout", "A user who does not touch the sensor ends the request with a time-out.", clause,
            from: .uvAndPIN, needs: needs + [.simulatedDevice], effects: [.spendsTries], person: [.withholdTouch]
        ) { bench in
            let agreed = try await bench.agree(try bench.preferredProtocol)
            try await bench.user(.withholdTouch)
            try await bench.refuse(
                .clientPIN, bench.tokenRequest(agreed, byUV: .getAssertion, rpID: bench.relyingPartyID),
                with: [.userActionTimeout])
        }
        Case(
            "uv.token.pinBlockedBlocks", "A blocked PIN also blocks built-in verification.", .ctap("6.5.3.1"),
            from: .uvAndPIN, needs: needs + [.powerCycle], effects: [.spendsTries, .erases],
            person: [.replug, .replug, .replug, .touch]
        ) { bench in
            try await bench.blockPIN()
            try await bench.refuseUVToken(with: [.uvBlocked])
            let retries = try await bench.uvRetries()
            bench.expect(retries == 0, "0 retries", seen: "\(retries)", clause: .ctap("6.5.5.3"))
        }
    }
}

extension AuthenticatorBench {
    func failUV() async throws -> AuthenticatorAnswer {
        let agreed = try await agree(try preferredProtocol)
        try await user(.fail)
        return try await send(.clientPIN, tokenRequest(agreed, byUV: .getAssertion, rpID: relyingPartyID))
    }

    func refuseUVToken(with statuses: [CTAPStatus]) async throws {
        let agreed = try await agree(try preferredProtocol)
        try await refuse(
            .clientPIN, tokenRequest(agreed, byUV: .getAssertion, rpID: relyingPartyID), with: statuses)
    }

    /// Fails at the sensor until built-in verification is blocked.
    func blockUV() async throws {
        for _ in 1...25 {
            guard try await uvRetries() > 0 else { return }
            let answer = try await failUV()
            expect(answer, .uvInvalid, .uvBlocked)
            guard answer.status == .uvInvalid else { return }
        }
    }
}
