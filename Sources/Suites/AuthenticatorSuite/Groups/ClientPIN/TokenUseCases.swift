internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance
internal import WebAuthn

/// The limits of a token: permissions, RP ID, protocol, flags and time (CTAP 2.3 §6.5.2.1).
enum TokenUseCases {
    static let all =
        permissions + binding + PINUVAuthProtocol.allCases.map(otherProtocol)
        + [replaced, replacedAcrossProtocols, powerCycle]
        + presence + time

    private static let state = Clause.ctap("6.5.2.1")

    // MARK: Permissions

    @CaseTable private static var permissions: [Case] {
        Case(
            "clientPIN.token.makeCredentialNeedsMC",
            "The command authenticatorMakeCredential refuses a token without mc.", .ctap("6.1.2", step: "11"),
            from: .pin, needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.pinToken(.getAssertion, rpID: bench.relyingPartyID)
            bench.expect(try await bench.makeAnswer(token: token), .pinAuthInvalid)
        }
        Case(
            "clientPIN.token.getAssertionNeedsGA", "The command authenticatorGetAssertion refuses a token without ga.",
            .ctap("6.2.2", step: "6"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.pinToken(.makeCredential, rpID: bench.relyingPartyID)
            bench.expect(try await bench.assert(silently: true, token: token), .pinAuthInvalid)
        }
        Case(
            "clientPIN.token.both", "A token with mc and ga serves an assertion and then a registration.", state,
            from: .pin, needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { bench in
            let token = try await bench.pinToken([.makeCredential, .getAssertion], rpID: bench.relyingPartyID)
            bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: token))
            bench.expect(try await bench.makeAnswer(token: token), .ok)
        }
        Case(
            "clientPIN.token.userVerified", "A registration with a token reports a verified user.",
            .ctap("6.1.2", step: "11"), from: .pin, needs: [.optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { bench in
            let made = try await bench.make(token: try await bench.credentialToken(.makeCredential))
            bench.expect(
                made.data.flags.contains([.userVerified, .userPresent]), "UP and UV set",
                seen: made.data.flags.abbreviations)
        }
        Case(
            "clientPIN.token.assertionUserVerified", "An assertion with a token reports a verified user.",
            .ctap("6.2.2", step: "6"), from: .pin, needs: [.optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch, .touch]
        ) { bench in
            let made = try await bench.make(token: try await bench.credentialToken(.makeCredential))
            let assertion = try await bench.assertion(with: made, token: try await bench.credentialToken(.getAssertion))
            bench.expect(
                assertion.data.flags.contains([.userVerified, .userPresent]), "UP and UV set",
                seen: assertion.data.flags.abbreviations)
        }
        Case(
            "clientPIN.token.wrongCode", "A pinUvAuthParam over another clientDataHash is refused.",
            .ctap("6.1.2", step: "11"), from: .pin, needs: [.optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.credentialToken(.makeCredential)
            var request = bench.makeRequest(token: token)
            request[0x08] = .bytes(token.authenticate([UInt8](repeating: 1, count: 32)))
            try await bench.refuse(.makeCredential, request, with: [.pinAuthInvalid])
        }
    }

    // MARK: RP ID

    @CaseTable private static var binding: [Case] {
        Case(
            "clientPIN.token.rpIDOfAnother", "A token bound to an RP ID is refused for another one.",
            .ctap("6.2.2", step: "6"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.pinToken(.getAssertion, rpID: "other.\(bench.relyingPartyID)")
            bench.expect(try await bench.assert(silently: true, token: token), .pinAuthInvalid)
        }
        Case(
            "clientPIN.token.registrationRPIDOfAnother",
            "A token bound to an RP ID is refused for a registration at another one.", .ctap("6.1.2", step: "11"),
            from: .pin, needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.pinToken(.makeCredential, rpID: "other.\(bench.relyingPartyID)")
            bench.expect(try await bench.makeAnswer(token: token), .pinAuthInvalid)
        }
        Case(
            "clientPIN.token.boundByFirstUse", "The token of getPinToken is bound to the RP ID of its first use.",
            .ctap("6.2.2", step: "6"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.pinToken(nil)
            bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: token))
            bench.expect(
                try await bench.assert(silently: true, rpID: "other.\(bench.relyingPartyID)", token: token),
                .pinAuthInvalid)
        }
        Case(
            "clientPIN.token.boundByRegistration",
            "The token of getPinToken is bound to the RP ID of its first use in a registration.",
            .ctap("6.1.2", step: "11"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)], person: [.touch]
        ) { bench in
            let credential = try await bench.sharedCredential()
            let token = try await bench.pinToken(nil)
            var parameters = bench.makeRequest(
                CredentialRequest(relyingPartyID: credential.relyingPartyID), token: token)
            parameters[5] = [credential.descriptor]
            try await bench.record.preparing("the first use of the token") {
                try bench.require(try await bench.send(.makeCredential, parameters), .credentialExcluded)
            }
            let own = credential.relyingPartyID
            bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, rpID: own, token: token))
            bench.expect(
                try await bench.assert(silently: true, rpID: "other.\(own)", token: token), .pinAuthInvalid)
        }
    }

    // MARK: Protocols and other tokens

    private static func otherProtocol(_ pinProtocol: PINUVAuthProtocol) -> Case {
        let other = pinProtocol == .one ? PINUVAuthProtocol.two : .one
        let names = PINCaseNames(pinProtocol)
        return Case(
            names.id("token.otherProtocol"), names.title("a token is refused under the other protocol"), state,
            from: .pin, needs: [.pinProtocol(.one), .pinProtocol(.two), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.credentialToken(.getAssertion, protocol: pinProtocol)
            let disguised = HeldToken(pinProtocol: other, bytes: token.bytes)
            bench.expect(try await bench.assert(silently: true, token: disguised), .pinAuthInvalid)
        }
    }

    private static let replaced = Case(
        "clientPIN.token.replaced", "A new token ends the previous one.", state, from: .pin,
        needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
    ) { bench in
        let first = try await bench.pinToken(.getAssertion, rpID: bench.relyingPartyID)
        let second = try await bench.pinToken(.getAssertion, rpID: bench.relyingPartyID)
        bench.expect(try await bench.assert(silently: true, token: first), .pinAuthInvalid)
        bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: second))
    }

    private static let replacedAcrossProtocols = Case(
        "clientPIN.token.replacedAcrossProtocols", "A new token of one protocol ends the token of the other.", state,
        from: .pin,
        needs: [
            .optionOn(.pinUvAuthToken), .pinProtocol(.one), .pinProtocol(.two),
            .optionOff(.noMcGaPermissionsWithClientPin),
        ]
    ) { bench in
        let first = try await bench.pinToken(.getAssertion, rpID: bench.relyingPartyID, protocol: .one)
        let second = try await bench.pinToken(.getAssertion, rpID: bench.relyingPartyID, protocol: .two)
        bench.expect(try await bench.assert(silently: true, token: first), .pinAuthInvalid)
        bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: second))
    }

    private static let powerCycle = Case(
        "clientPIN.token.powerCycle", "A power cycle ends a token.", .ctap("6.5.5.1"), from: .pin,
        needs: [.powerCycle, .optionOff(.noMcGaPermissionsWithClientPin)], person: [.replug]
    ) { bench in
        let token = try await bench.credentialToken(.getAssertion)
        try await bench.powerCycle()
        bench.expect(try await bench.assert(silently: true, token: token), .pinAuthInvalid)
    }

    // MARK: User presence

    @CaseTable private static var presence: [Case] {
        Case(
            "clientPIN.token.silentAssertionKeeps", "An assertion without user presence leaves a token as it is.",
            .ctap("6.2.2", step: "9"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.pinToken(.getAssertion, rpID: bench.relyingPartyID)
            for _ in 1...2 {
                bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: token))
            }
        }
        Case(
            "clientPIN.token.touchEnds", "A registration strips its token of the permissions mc and ga.",
            .ctap("6.1.2", step: "14"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)], person: [.touch]
        ) { bench in
            let token = try await bench.pinToken([.makeCredential, .getAssertion], rpID: bench.relyingPartyID)
            bench.expect(try await bench.makeAnswer(token: token), .ok)
            bench.expect(try await bench.makeAnswer(token: token), .pinAuthInvalid)
            bench.expect(try await bench.assert(silently: true, token: token), .pinAuthInvalid)
        }
        Case(
            "clientPIN.token.touchKeepsLBW", "A registration leaves its token the permission lbw.",
            .ctap("6.1.2", step: "14"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOn(.largeBlobs), .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { bench in
            let token = try await bench.pinToken([.makeCredential, .largeBlobWrite], rpID: bench.relyingPartyID)
            bench.expect(try await bench.makeAnswer(token: token), .ok)
            // The write is refused for its checksum only, so nothing changes.
            bench.expectAcceptedPinUvAuthParam(
                try await bench.writeBlobs([UInt8](repeating: 0, count: 17), token: token))
        }
        Case(
            "clientPIN.token.touchStripsManagement", "A registration strips its token of the permission cm.",
            .ctap("6.1.2", step: "14"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOn(.credMgmt), .optionOff(.noMcGaPermissionsWithClientPin)],
            person: [.touch]
        ) { bench in
            let token = try await bench.pinToken([.makeCredential, .credentialManagement], rpID: bench.relyingPartyID)
            bench.expect(try await bench.makeAnswer(token: token), .ok)
            bench.expect(
                try await bench.manage(.enumerateCredentialsBegin, bench.rpIDHashParameters, token: token),
                .pinAuthInvalid)
        }
        signed("touchedAssertionEnds", "An assertion with a touch strips its token of the permissions mc and ga.") {
            bench, credential in
            let token = try await bench.pinToken([.makeCredential, .getAssertion], rpID: credential.relyingPartyID)
            bench.expect(try await bench.signed(credential, token), .ok)
            let requested = CredentialRequest(relyingPartyID: credential.relyingPartyID)
            bench.expect(try await bench.makeAnswer(requested, token: token), .pinAuthInvalid)
            bench.expect(try await bench.signed(credential, token), .pinAuthInvalid)
        }
        signed(
            "touchedAssertionKeepsLBW", "An assertion with a touch leaves its token the permission lbw.",
            needs: [.optionOn(.largeBlobs)]
        ) { bench, credential in
            let token = try await bench.pinToken([.getAssertion, .largeBlobWrite], rpID: credential.relyingPartyID)
            bench.expect(try await bench.signed(credential, token), .ok)
            // The write is refused for its checksum only, so nothing changes.
            bench.expectAcceptedPinUvAuthParam(
                try await bench.writeBlobs([UInt8](repeating: 0, count: 17), token: token))
        }
        signed(
            "touchedAssertionStripsManagement", "An assertion with a touch strips its token of the permission cm.",
            needs: [.optionOn(.credMgmt)]
        ) { bench, credential in
            let token = try await bench.pinToken(
                [.getAssertion, .credentialManagement], rpID: credential.relyingPartyID)
            bench.expect(try await bench.signed(credential, token), .ok)
            let hash: CBOR.Map = [1: .bytes(sha256(Array(credential.relyingPartyID.utf8)))]
            bench.expect(
                try await bench.manage(.enumerateCredentialsBegin, hash, token: token), .pinAuthInvalid)
        }
    }

    /// A case about the token of an assertion with the shared credential.
    private static func signed(
        _ name: String, _ title: String, needs: [AuthenticatorNeed] = [],
        _ steps: @escaping @Sendable (AuthenticatorBench, BenchCredential) async throws -> Void
    ) -> Case {
        Case(
            "clientPIN.token.\(name)", title, .ctap("6.2.2", step: "9"), from: .pin,
            needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)] + needs, person: [.touch]
        ) { bench in try await steps(bench, try await bench.sharedCredential()) }
    }

    // MARK: Time

    @CaseTable private static var time: [Case] {
        Case(
            "clientPIN.token.unusedExpires", "A token that is not used within its initial usage time limit ends.",
            state, from: .pin, needs: [.simulatedDevice, .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.credentialToken(.getAssertion)
            try await bench.wait(.seconds(31))
            bench.expect(try await bench.assert(silently: true, token: token), .pinAuthInvalid)
        }
        Case(
            "clientPIN.token.unusedLives", "A token is good until its initial usage time limit.", state, from: .pin,
            needs: [.simulatedDevice, .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.credentialToken(.getAssertion)
            try await bench.wait(.seconds(18))
            bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: token))
        }
        Case(
            "clientPIN.token.usedLives", "A token in use lives on after its initial usage time limit.", state,
            from: .pin, needs: [.simulatedDevice, .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.credentialToken(.getAssertion)
            bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: token))
            try await bench.wait(.seconds(60))
            bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: token))
        }
        Case(
            "clientPIN.token.usedExpires", "A token in use ends after ten minutes.", state, from: .pin,
            needs: [.simulatedDevice, .optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.credentialToken(.getAssertion)
            bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: token))
            try await bench.wait(.seconds(601))
            bench.expect(try await bench.assert(silently: true, token: token), .pinAuthInvalid)
        }
    }
}

extension AuthenticatorBench {
    /// Signs with a credential, a token and a touch.
    fileprivate func signed(_ credential: BenchCredential, _ token: HeldToken) async throws -> AuthenticatorAnswer {
        try await assert(rpID: credential.relyingPartyID, allowing: [credential], token: token)
    }
}
