internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

extension AuthenticatorSuite {
    /// authenticatorReset (CTAP 2.3 §6.6).
    package static let reset = Group("reset", "authenticatorReset", ResetCases.all)
}

enum ResetCases {
    static let all = ceremony + erased

    private static let clause = Clause.ctap("6.6")

    @CaseTable private static var ceremony: [Case] {
        Case(
            "reset.touch", "A reset right after power-up succeeds after a touch, without a response.", clause,
            needs: [.powerCycle], effects: [.erases], person: .reset
        ) { bench in
            try await bench.powerCycle()
            let answer = try await bench.send(.reset)
            bench.expectEmptySuccess(answer)
            if answer.status == .ok { bench.wasReset() }
            try bench.expectTouchRequest(before: answer)
        }
        Case(
            "reset.late", "A reset later than ten seconds after power-up is refused.", clause, from: .pin,
            needs: [.simulatedDevice, .powerCycle], effects: [.erases], person: [.replug]
        ) { bench in
            try await bench.powerCycle()
            try await bench.wait(.seconds(11))
            try await bench.refuse(.reset, with: [.notAllowed])
            try await bench.expectOption(.clientPin, true)
        }
        Case(
            "reset.withheld", "A reset without a touch ends with a time-out and erases nothing.", clause,
            from: .pin, needs: [.powerCycle], effects: [.erases], person: [.replug, .withholdTouch]
        ) { bench in
            try await bench.powerCycle()
            try await bench.user(.withholdTouch)
            try await bench.refuse(.reset, with: [.userActionTimeout])
            try await bench.expectOption(.clientPin, true)
        }
        Case(
            "reset.declined", "A reset that the user declines is denied and erases nothing.", clause, from: .pin,
            needs: [.powerCycle, .simulatedDevice], effects: [.erases], person: [.replug]
        ) { bench in
            try await bench.powerCycle()
            try await bench.userDeclines()
            try await bench.refuse(.reset, with: [.operationDenied])
            try await bench.expectOption(.clientPin, true)
        }
        Case(
            "reset.cancelled", "A cancelled reset erases nothing.", clause, from: .pin, needs: [.powerCycle],
            effects: [.erases], person: [.replug, .withholdTouch]
        ) { bench in
            try await bench.powerCycle()
            bench.expect(try await bench.send(.reset, nil, cancelling: true), .keepaliveCancel)
            try await bench.expectOption(.clientPin, true)
        }
        Case(
            "reset.otherTransport", "A reset over a transport outside transportsForReset is refused.", clause,
            from: .pin, needs: [.powerCycle, .resetElsewhere], effects: [.erases], person: .reset
        ) { bench in
            try await bench.powerCycle()
            let answer = try await bench.send(.reset)
            bench.expectRefusal(answer, of: "a reset over this transport")
            if answer.status == .ok { bench.wasReset() } else { try await bench.expectOption(.clientPin, true) }
        }
    }

    // MARK: The erased state

    @CaseTable private static var erased: [Case] {
        Case("reset.pin", "A reset removes the PIN.", clause, from: .pin, effects: [.erases], person: .reset) { bench in
            try await bench.freshDevice { try await bench.readInfo().option(.clientPin) == true }
            try await bench.expectOption(.clientPin, false)
            bench.expect(try await bench.present(AuthenticatorBench.wrongPIN), .pinNotSet)
        }
        Case(
            "reset.discoverable", "A reset removes discoverable credentials.", clause,
            needs: [.discoverableCredentials], effects: [.erases], person: [.touch] + .reset
        ) { bench in
            let made = try await bench.makeAny(discoverable: true)
            try await bench.freshDevice {
                try await bench.assert(silently: true, rpID: made.relyingPartyID).status == .ok
            }
            bench.expectRefusal(
                try await bench.assert(silently: true, rpID: made.relyingPartyID), of: "an assertion after the reset")
        }
        Case(
            "reset.nonDiscoverable", "A reset ends credentials that are not discoverable.", clause,
            needs: [.credentials], effects: [.erases], person: [.touch] + .reset
        ) { bench in
            let made = try await bench.makeAny()
            try await bench.freshDevice { try await bench.assert(silently: true, allowing: [made]).status == .ok }
            bench.expectRefusal(
                try await bench.assert(silently: true, allowing: [made]), of: "an assertion after the reset")
        }
        Case(
            "reset.largeBlobs", "A reset restores the initial array of large blobs.", clause, from: .pin,
            needs: [.optionOn(.largeBlobs)], effects: [.erases], person: .reset
        ) { bench in
            let array = LargeBlobArray.of([[1: .bytes([1, 2, 3]), 2: .bytes([UInt8](repeating: 0, count: 12)), 3: 3]])
            bench.expect(
                try await bench.writeBlobs(array, token: try await bench.managementToken(.largeBlobWrite)), .ok)
            try await bench.freshDevice { try await bench.storedBlobs() == array }
            let stored = try await bench.storedBlobs()
            bench.expect(
                stored == LargeBlobArray.initial, "the initial array of 17 bytes", seen: "\(stored.count) bytes")
        }
        Case(
            "reset.retries", "A reset restores the PIN retries.", clause, from: .pin,
            effects: [.erases, .spendsTries], person: .reset
        ) { bench in
            let full = try await bench.pinRetries().retries
            bench.expect(try await bench.present(AuthenticatorBench.wrongPIN), .pinInvalid)
            try await bench.freshDevice()
            try await bench.ensurePIN()
            let after = try await bench.pinRetries().retries
            bench.expect(after == full, "\(full) retries", seen: "\(after)")
        }
        Case(
            "reset.minPINLength", "A reset restores the minimum PIN length.", clause, from: .freshPIN,
            needs: [.optionOn(.setMinPINLength)], effects: [.changesSettings]
        ) { bench in
            let before = try await bench.readInfo().minPINLength ?? 4
            let token = try await bench.pinToken(.authenticatorConfiguration)
            bench.expect(try await bench.configure(.setMinPINLength, [0x01: .integer(before + 2)], token: token), .ok)
            try await bench.freshDevice { try await bench.readInfo().minPINLength == before + 2 }
            let after = bench.info.minPINLength ?? 4
            bench.expect(after == before, "minPINLength \(before)", seen: "\(after)")
        }
        Case(
            "reset.forcePINChange", "A reset ends the demand to change the PIN.", clause, from: .freshPIN,
            needs: [.optionOn(.setMinPINLength)], effects: [.changesSettings]
        ) { bench in
            _ = try await bench.forcePINChange()
            try await bench.freshDevice { try await bench.readInfo().forcePINChange == true }
            bench.expect(bench.info.forcePINChange != true, "forcePINChange false or absent", seen: "true")
        }
        Case(
            "reset.alwaysUv", "A reset restores the setting alwaysUv.", clause, from: .freshPIN,
            needs: [.option(.alwaysUv), .optionOn(.authnrCfg)], effects: [.changesSettings]
        ) { bench in
            let before = bench.info.option(.alwaysUv)
            let token = try await bench.pinToken(.authenticatorConfiguration)
            try bench.require(try await bench.configure(.toggleAlwaysUv, token: token), .ok, .operationDenied)
            try await bench.freshDevice { try await bench.readInfo().option(.alwaysUv) != before }
            try await bench.expectOption(.alwaysUv, before)
        }
        Case(
            "reset.enterpriseAttestation", "A reset disables enterprise attestation.", clause, from: .freshPIN,
            needs: [.option(.ep), .optionOn(.authnrCfg)], effects: [.changesSettings]
        ) { bench in
            let token = try await bench.pinToken(.authenticatorConfiguration)
            bench.expect(try await bench.configure(.enableEnterpriseAttestation, token: token), .ok)
            try await bench.freshDevice { try await bench.readInfo().option(.ep) == true }
            try await bench.expectOption(.ep, false)
        }
        Case(
            "reset.fingers", "A reset removes fingerprints.", clause, from: .uv, needs: [.option(.bioEnroll)],
            effects: [.erases], person: .reset
        ) { bench in
            try await bench.freshDevice { try await bench.readInfo().option(.bioEnroll) == true }
            try await bench.expectOption(.bioEnroll, false)
            try await bench.expectOption(.uv, false)
        }
        Case(
            "reset.persistentToken", "A reset ends the persistent token.", clause, from: .pin,
            needs: [.optionOn(.perCredMgmtRO)], effects: [.erases], person: .reset
        ) { bench in
            let token = try await bench.pinToken(.persistentCredentialManagementReadOnly)
            try await bench.freshDevice { try await bench.manage(.getCredsMetadata, token: token).status == .ok }
            bench.expectRefusal(
                try await bench.manage(.getCredsMetadata, token: token),
                of: "credentialManagement with the former token")
        }
        Case(
            "reset.identifier", "A reset gives the device another identifier for holders of its persistent token.",
            clause, from: .pin, needs: [.optionOn(.perCredMgmtRO)], effects: [.erases], person: .reset
        ) { bench in
            let former = try await bench.hiddenInfo(
                .encIdentifier, try await bench.pinToken(.persistentCredentialManagementReadOnly))
            try await bench.freshDevice()
            try await bench.ensurePIN()
            let latter = try await bench.hiddenInfo(
                .encIdentifier, try await bench.pinToken(.persistentCredentialManagementReadOnly))
            bench.expect(former != latter, "another identifier", seen: "the one from before the reset")
        }
        Case(
            "reset.tokens", "A reset ends the tokens in use.", clause, from: .pin,
            needs: [.optionOff(.noMcGaPermissionsWithClientPin), .powerCycle], effects: [.erases], person: .reset
        ) { bench in
            try await bench.powerCycle()
            let manages = bench.has(.credMgmt) && bench.has(.pinUvAuthToken)
            let token =
                try await manages ? bench.pinToken(.credentialManagement) : bench.credentialToken(.getAssertion)
            try bench.require(try await bench.send(.reset), .ok)
            bench.wasReset()
            if manages {
                // Without a PIN any code may be refused; so the token is tried with a new one, too.
                for isPINSet in [false, true] {
                    try await bench.readInfo()
                    if isPINSet { try await bench.ensurePIN() }
                    bench.expectRefusal(
                        try await bench.manage(.getCredsMetadata, token: token),
                        of: "credentialManagement with the former token\(isPINSet ? " after a new PIN" : "")")
                }
                return
            }
            // Without protection the authenticator need not look at the code (CTAP 2.3 §6.2.2 step 6).
            let answer = try await bench.assert(silently: true, token: token)
            guard answer.status == .ok else { return }
            bench.expect(
                try !bench.given(answer).data.flags.contains(.userVerified), "a refusal, or UV 0", seen: "UV 1")
        }
    }
}
