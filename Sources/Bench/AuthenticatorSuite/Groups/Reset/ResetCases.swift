internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// authenticatorReset (CTAP 2.3 §6.6).
    package static let reset = Group("reset", "authenticatorReset", ResetCases.all)
}

enum ResetCases {
    static let all = ceremony + erased

    private static let clause = Clause.ctap("6.6")

    private static let ceremony: [AuthenticatorCase] = [
        AuthenticatorCase(
            "reset.touch", "A reset right after power-up succeeds after a touch, without a response.", clause,
            needs: [.powerCycle], effects: [.erases], person: .reset
        ) { platform in
            try await platform.powerCycle()
            let answer = try await platform.send(.reset)
            platform.expect(answer, [.ok])
            if answer.status == .ok { platform.bench.wasReset() }
            platform.recorder.expect(
                answer.bytes.count == 1, "an answer without members", seen: "\(answer.bytes.count - 1) bytes")
            platform.bench.expectTouchRequest(before: answer, platform.recorder)
        },
        AuthenticatorCase(
            "reset.late", "A reset later than ten seconds after power-up is refused.", clause, from: .pin,
            needs: [.simulatedUser, .powerCycle], effects: [.erases], person: [.replug]
        ) { platform in
            try await platform.powerCycle()
            try await platform.advance(by: .seconds(11))
            try await platform.refuse(.reset, with: [.notAllowed])
            try await platform.expectOption(.clientPin, true)
        },
        AuthenticatorCase(
            "reset.withheld", "A reset without a touch ends with a time-out and erases nothing.", clause,
            from: .pin, needs: [.powerCycle], effects: [.erases], person: [.replug, .withholdTouch]
        ) { platform in
            try await platform.powerCycle()
            try await platform.bench.user(.withholdTouch)
            try await platform.refuse(.reset, with: [.userActionTimeout])
            try await platform.expectOption(.clientPin, true)
        },
        AuthenticatorCase(
            "reset.declined", "A reset that the user declines is denied and erases nothing.", clause, from: .pin,
            needs: [.powerCycle, .simulatedUser], effects: [.erases], person: [.replug]
        ) { platform in
            try await platform.powerCycle()
            try await platform.bench.userDeclines()
            try await platform.refuse(.reset, with: [.operationDenied])
            try await platform.expectOption(.clientPin, true)
        },
        AuthenticatorCase(
            "reset.cancelled", "A cancelled reset erases nothing.", clause, from: .pin, needs: [.powerCycle],
            effects: [.erases], person: [.replug, .withholdTouch]
        ) { platform in
            try await platform.powerCycle()
            platform.expect(try await platform.bench.send(.reset, nil, cancelling: true), [.keepaliveCancel])
            try await platform.expectOption(.clientPin, true)
        },
    ]

    // MARK: What it erases

    private static let erased: [AuthenticatorCase] = [
        AuthenticatorCase(
            "reset.pin", "A reset removes the PIN.", clause, from: .pin, effects: [.erases], person: .reset
        ) { platform in
            try await platform.bench.freshDevice()
            try await platform.expectOption(.clientPin, false)
            platform.expect(try await platform.present(Platform.wrongPIN), [.pinNotSet])
        },
        AuthenticatorCase(
            "reset.discoverable", "A reset removes discoverable credentials.", clause,
            needs: [.discoverableCredentials], effects: [.erases], person: [.touch] + .reset
        ) { platform in
            let made = try await platform.makeAny(discoverable: true)
            try await platform.bench.freshDevice()
            platform.expect(try await platform.assert(silently: true, rpID: made.relyingPartyID), [.noCredentials])
        },
        AuthenticatorCase(
            "reset.nonDiscoverable", "A reset ends credentials that are not discoverable.", clause,
            needs: [.credentials], effects: [.erases], person: [.touch] + .reset
        ) { platform in
            let made = try await platform.makeAny()
            platform.expect(try await platform.assert(silently: true, allowing: [made]), [.ok])
            try await platform.bench.freshDevice()
            platform.expect(try await platform.assert(silently: true, allowing: [made]), [.noCredentials])
        },
        AuthenticatorCase(
            "reset.largeBlobs", "A reset restores the initial array of large blobs.", clause, from: .pin,
            needs: [.optionOn(.largeBlobs)], effects: [.erases], person: .reset
        ) { platform in
            let array = LargeBlobArray.of([[1: .bytes([1, 2, 3]), 2: .bytes([UInt8](repeating: 0, count: 12)), 3: 3]])
            platform.expect(
                try await platform.writeBlobs(array, token: try await platform.managementToken(.largeBlobWrite)),
                [.ok])
            try await platform.bench.freshDevice()
            let stored = try await platform.storedBlobs()
            platform.recorder.expect(
                stored == LargeBlobArray.initial, "the initial array of 17 bytes", seen: "\(stored.count) bytes")
        },
        AuthenticatorCase(
            "reset.retries", "A reset restores the PIN retries.", clause, from: .pin,
            effects: [.erases, .spendsTries], person: .reset
        ) { platform in
            let full = try await platform.pinRetries().retries
            platform.expect(try await platform.present(Platform.wrongPIN), [.pinInvalid])
            try await platform.bench.freshDevice()
            try await platform.bench.ensurePIN()
            let after = try await platform.pinRetries().retries
            platform.recorder.expect(after == full, "\(full) retries", seen: "\(after)")
        },
        AuthenticatorCase(
            "reset.minPINLength", "A reset restores the minimum PIN length.", clause, from: .freshPIN,
            needs: [.optionOn(.setMinPINLength)], effects: [.changesSettings]
        ) { platform in
            let before = try await platform.information().minPINLength ?? 4
            let token = try await platform.pinToken(.authenticatorConfiguration)
            platform.expect(
                try await platform.configure(.setMinPINLength, [0x01: .integer(before + 2)], token: token), [.ok])
            try await platform.bench.freshDevice()
            let after = platform.bench.info.minPINLength ?? 4
            platform.recorder.expect(after == before, "minPINLength \(before)", seen: "\(after)")
        },
        AuthenticatorCase(
            "reset.forcePINChange", "A reset ends the demand to change the PIN.", clause, from: .freshPIN,
            needs: [.optionOn(.setMinPINLength)], effects: [.changesSettings]
        ) { platform in
            _ = try await platform.forcePINChange()
            try await platform.bench.freshDevice()
            platform.recorder.expect(
                platform.bench.info.forcePINChange != true, "forcePINChange false or absent", seen: "true")
        },
        AuthenticatorCase(
            "reset.alwaysUv", "A reset restores the setting alwaysUv.", clause, from: .freshPIN,
            needs: [.option(.alwaysUv), .optionOn(.authnrCfg)], effects: [.changesSettings]
        ) { platform in
            let before = platform.bench.info.option(.alwaysUv)
            let token = try await platform.pinToken(.authenticatorConfiguration)
            try platform.recorder.require(
                try await platform.configure(.toggleAlwaysUv, token: token), .ok, .operationDenied)
            try await platform.bench.freshDevice()
            try await platform.expectOption(.alwaysUv, before)
        },
        AuthenticatorCase(
            "reset.enterpriseAttestation", "A reset disables enterprise attestation.", clause, from: .freshPIN,
            needs: [.option(.ep), .optionOn(.authnrCfg)], effects: [.changesSettings]
        ) { platform in
            let token = try await platform.pinToken(.authenticatorConfiguration)
            platform.expect(try await platform.configure(.enableEnterpriseAttestation, token: token), [.ok])
            try await platform.bench.freshDevice()
            try await platform.expectOption(.ep, false)
        },
        AuthenticatorCase(
            "reset.fingers", "A reset removes fingerprints.", clause, from: .uv, needs: [.option(.bioEnroll)],
            effects: [.erases], person: .reset
        ) { platform in
            try await platform.expectOption(.bioEnroll, true)
            try await platform.bench.freshDevice()
            try await platform.expectOption(.bioEnroll, false)
            try await platform.expectOption(.uv, false)
        },
        AuthenticatorCase(
            "reset.persistentToken", "A reset ends the persistent token.", clause, from: .pin,
            needs: [.optionOn(.perCredMgmtRO)], effects: [.erases], person: .reset
        ) { platform in
            let token = try await platform.pinToken(.persistentCredentialManagementReadOnly)
            platform.expect(try await platform.manage(.getCredsMetadata, token: token), [.ok])
            try await platform.bench.freshDevice()
            platform.expect(try await platform.manage(.getCredsMetadata, token: token), [.pinAuthInvalid])
        },
        AuthenticatorCase(
            "reset.tokens", "A reset ends the tokens in use.", clause, from: .pin,
            needs: [.optionOff(.noMcGaPermissionsWithClientPin), .powerCycle], effects: [.erases], person: .reset
        ) { platform in
            try await platform.powerCycle()
            let token = try await platform.credentialToken(.getAssertion)
            try platform.recorder.require(try await platform.send(.reset), .ok)
            platform.bench.wasReset()
            platform.expect(try await platform.assert(silently: true, token: token), [.pinAuthInvalid])
        },
    ]
}
