internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

/// What a token is good for: permissions, RP ID, protocol, flags and time (CTAP 2.3 §6.5.2.1).
enum TokenUseCases {
    static let all =
        permissions + binding + PINUVAuthProtocol.allCases.map(otherProtocol)
        + [replaced, replacedAcrossProtocols, powerCycle]
        + presence + time

    private static let state = Clause.ctap("6.5.2.1")

    // MARK: Permissions

    private static let permissions: [AuthenticatorCase] = [
        AuthenticatorCase(
            "clientPIN.token.makeCredentialNeedsMC",
            "The command authenticatorMakeCredential refuses a token without mc.",
            .ctap("6.1.2", step: "11"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.pinToken(.getAssertion, rpID: platform.rpID)
            platform.expect(try await platform.makeAnswer(token: token), [.pinAuthInvalid])
        },
        AuthenticatorCase(
            "clientPIN.token.getAssertionNeedsGA", "The command authenticatorGetAssertion refuses a token without ga.",
            .ctap("6.2.2", step: "6"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.pinToken(.makeCredential, rpID: platform.rpID)
            platform.expect(try await platform.assert(silently: true, token: token), [.pinAuthInvalid])
        },
        AuthenticatorCase(
            "clientPIN.token.both", "A token with mc and ga serves an assertion and then a registration.", state,
            from: .pin, needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { platform in
            let token = try await platform.pinToken([.makeCredential, .getAssertion], rpID: platform.rpID)
            platform.expect(try await platform.assert(silently: true, token: token), [.noCredentials])
            platform.expect(try await platform.makeAnswer(token: token), [.ok])
        },
        AuthenticatorCase(
            "clientPIN.token.userVerified", "A registration with a token reports a verified user.",
            .ctap("6.1.2", step: "11"), from: .pin, needs: [.optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { platform in
            let made = try await platform.make(token: try await platform.credentialToken(.makeCredential))
            platform.recorder.expect(
                made.data.flags.contains([.userVerified, .userPresent]), "UP and UV set",
                seen: made.data.flags.abbreviations)
        },
        AuthenticatorCase(
            "clientPIN.token.assertionUserVerified", "An assertion with a token reports a verified user.",
            .ctap("6.2.2", step: "6"), from: .pin, needs: [.optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch, .touch]
        ) { platform in
            let made = try await platform.make(token: try await platform.credentialToken(.makeCredential))
            let assertion = try await platform.assertion(
                with: made, token: try await platform.credentialToken(.getAssertion))
            platform.recorder.expect(
                assertion.data.flags.contains([.userVerified, .userPresent]), "UP and UV set",
                seen: assertion.data.flags.abbreviations)
        },
        AuthenticatorCase(
            "clientPIN.token.wrongCode", "A pinUvAuthParam over another clientDataHash is refused.",
            .ctap("6.1.2", step: "11"), from: .pin, needs: [.optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.credentialToken(.makeCredential)
            var request = platform.makeRequest(token: token)
            request[0x08] = .bytes(token.authenticate([UInt8](repeating: 1, count: 32)))
            try await platform.refuse(.makeCredential, request, with: [.pinAuthInvalid])
        },
    ]

    // MARK: RP ID

    private static let binding: [AuthenticatorCase] = [
        AuthenticatorCase(
            "clientPIN.token.rpIDOfAnother", "A token bound to an RP ID is refused for another one.",
            .ctap("6.2.2", step: "6"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.pinToken(.getAssertion, rpID: "other.\(platform.rpID)")
            platform.expect(try await platform.assert(silently: true, token: token), [.pinAuthInvalid])
        },
        AuthenticatorCase(
            "clientPIN.token.registrationRPIDOfAnother",
            "A token bound to an RP ID is refused for a registration at another one.", .ctap("6.1.2", step: "11"),
            from: .pin, needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.pinToken(.makeCredential, rpID: "other.\(platform.rpID)")
            platform.expect(try await platform.makeAnswer(token: token), [.pinAuthInvalid])
        },
        AuthenticatorCase(
            "clientPIN.token.boundByFirstUse", "The token of getPinToken is bound to the RP ID of its first use.",
            .ctap("6.2.2", step: "6"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.pinToken(nil)
            platform.expect(try await platform.assert(silently: true, token: token), [.noCredentials])
            platform.expect(
                try await platform.assert(silently: true, rpID: "other.\(platform.rpID)", token: token),
                [.pinAuthInvalid])
        },
    ]

    // MARK: Protocols and other tokens

    private static func otherProtocol(_ pinProtocol: PINUVAuthProtocol) -> AuthenticatorCase {
        let other = pinProtocol == .one ? PINUVAuthProtocol.two : .one
        let names = PINCaseNames(pinProtocol)
        return AuthenticatorCase(
            names.id("token.otherProtocol"), names.title("a token is refused under the other protocol"), state,
            from: .pin, needs: [.pinProtocol(.one), .pinProtocol(.two), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.credentialToken(.getAssertion, protocol: pinProtocol)
            let disguised = HeldToken(pinProtocol: other, bytes: token.bytes)
            platform.expect(try await platform.assert(silently: true, token: disguised), [.pinAuthInvalid])
        }
    }

    private static let replaced = AuthenticatorCase(
        "clientPIN.token.replaced", "A new token ends the one of before.", state, from: .pin,
        needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
    ) { platform in
        let first = try await platform.pinToken(.getAssertion, rpID: platform.rpID)
        let second = try await platform.pinToken(.getAssertion, rpID: platform.rpID)
        platform.expect(try await platform.assert(silently: true, token: first), [.pinAuthInvalid])
        platform.expect(try await platform.assert(silently: true, token: second), [.noCredentials])
    }

    private static let replacedAcrossProtocols = AuthenticatorCase(
        "clientPIN.token.replacedAcrossProtocols", "A new token of one protocol ends the token of the other.", state,
        from: .pin,
        needs: [
            .optionOn(.pinUvAuthToken), .pinProtocol(.one), .pinProtocol(.two),
            .optionOff(.noMcGaPermissionsWithClientPin),
        ]
    ) { platform in
        let first = try await platform.pinToken(.getAssertion, rpID: platform.rpID, protocol: .one)
        let second = try await platform.pinToken(.getAssertion, rpID: platform.rpID, protocol: .two)
        platform.expect(try await platform.assert(silently: true, token: first), [.pinAuthInvalid])
        platform.expect(try await platform.assert(silently: true, token: second), [.noCredentials])
    }

    private static let powerCycle = AuthenticatorCase(
        "clientPIN.token.powerCycle", "A power cycle ends a token.", .ctap("6.5.5.1"), from: .pin,
        needs: [.powerCycle, .optionOff(.noMcGaPermissionsWithClientPin)], person: [.replug]
    ) { platform in
        let token = try await platform.credentialToken(.getAssertion)
        try await platform.powerCycle()
        platform.expect(try await platform.assert(silently: true, token: token), [.pinAuthInvalid])
    }

    // MARK: User presence

    private static let presence: [AuthenticatorCase] = [
        AuthenticatorCase(
            "clientPIN.token.silentAssertionKeeps", "An assertion without user presence leaves a token as it is.",
            .ctap("6.2.2", step: "9"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.pinToken(.getAssertion, rpID: platform.rpID)
            for _ in 1...2 {
                platform.expect(try await platform.assert(silently: true, token: token), [.noCredentials])
            }
        },
        AuthenticatorCase(
            "clientPIN.token.touchEnds", "A registration strips its token of the permissions mc and ga.",
            .ctap("6.1.2", step: "14"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { platform in
            let token = try await platform.pinToken([.makeCredential, .getAssertion], rpID: platform.rpID)
            platform.expect(try await platform.makeAnswer(token: token), [.ok])
            platform.expect(try await platform.makeAnswer(token: token), [.pinAuthInvalid])
            platform.expect(try await platform.assert(silently: true, token: token), [.pinAuthInvalid])
        },
        AuthenticatorCase(
            "clientPIN.token.touchKeepsLBW", "A registration leaves its token the permission lbw.",
            .ctap("6.1.2", step: "14"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOn(.largeBlobs), .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { platform in
            let token = try await platform.pinToken([.makeCredential, .largeBlobWrite], rpID: platform.rpID)
            platform.expect(try await platform.makeAnswer(token: token), [.ok])
            // The write is refused for its checksum only, so nothing changes.
            platform.expect(
                try await platform.writeBlobs([UInt8](repeating: 0, count: 17), token: token), [.integrityFailure])
        },
        AuthenticatorCase(
            "clientPIN.token.touchStripsManagement", "A registration strips its token of the permission cm.",
            .ctap("6.1.2", step: "14"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOn(.credMgmt), .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { platform in
            let token = try await platform.pinToken([.makeCredential, .credentialManagement], rpID: platform.rpID)
            platform.expect(try await platform.makeAnswer(token: token), [.ok])
            platform.expect(
                try await platform.manage(.enumerateCredentialsBegin, platform.rpIDHashParameters, token: token),
                [.pinAuthInvalid])
        },
    ]

    // MARK: Time

    private static let time: [AuthenticatorCase] = [
        AuthenticatorCase(
            "clientPIN.token.unusedExpires", "A token that is not used within its initial usage time limit ends.",
            state, from: .pin, needs: [.simulatedUser, .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.credentialToken(.getAssertion)
            try await platform.advance(by: .seconds(31))
            platform.expect(try await platform.assert(silently: true, token: token), [.pinAuthInvalid])
        },
        AuthenticatorCase(
            "clientPIN.token.unusedLives", "A token is good until its initial usage time limit.", state, from: .pin,
            needs: [.simulatedUser, .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.credentialToken(.getAssertion)
            try await platform.advance(by: .seconds(18))
            platform.expect(try await platform.assert(silently: true, token: token), [.noCredentials])
        },
        AuthenticatorCase(
            "clientPIN.token.usedLives", "A token in use lives on after its initial usage time limit.", state,
            from: .pin, needs: [.simulatedUser, .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.credentialToken(.getAssertion)
            platform.expect(try await platform.assert(silently: true, token: token), [.noCredentials])
            try await platform.advance(by: .seconds(60))
            platform.expect(try await platform.assert(silently: true, token: token), [.noCredentials])
        },
        AuthenticatorCase(
            "clientPIN.token.usedExpires", "A token in use ends after ten minutes.", state, from: .pin,
            needs: [.simulatedUser, .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { platform in
            let token = try await platform.credentialToken(.getAssertion)
            platform.expect(try await platform.assert(silently: true, token: token), [.noCredentials])
            try await platform.advance(by: .seconds(601))
            platform.expect(try await platform.assert(silently: true, token: token), [.pinAuthInvalid])
        },
    ]
}
