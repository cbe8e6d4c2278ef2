internal import CBOR
internal import CTAP
internal import CTAPNFC
internal import Conformance
internal import DeviceProfiles
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

/// The presence of a tap, its time limits, and requests that wait for the user over NFC.
enum NFCWaitingCases {
    /// A tap serves one request, and no longer than two minutes (CTAP 2.3 §5, "evidence of user interaction").
    @CaseTable static var taps: [Case] {
        card("tap.once", "A tap is the touch of one request only.", .ctap("11.3.2"), needs: [.credentials]) { bench in
            try requireTaps(bench)
            try await registerByTap(bench)
            let second = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            try await bench.userTapsNoMore()
            bench.expectRefusal(
                try await bench.send(.makeCredential, second), of: "a second registration in the same tap")
        }
        card(
            "tap.ends", "A tap older than two minutes does not count as a touch.", .ctap("11.3.2"),
            needs: [.credentials]
        ) { bench in
            try requireTaps(bench)
            try await registerByTap(bench)
            try await bench.restartCard()
            try await bench.card?.select()
            try await bench.wait(.seconds(121))
            let late = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            try await bench.userTapsNoMore()
            bench.expectRefusal(
                try await bench.send(.makeCredential, late), of: "a registration two minutes after the tap")
        }
    }

    /// The initial usage time limit over NFC, 19.8 seconds (§6.5.2.1).
    @CaseTable static var tokens: [Case] {
        card(
            "token.unusedExpires", "Over NFC, a token that is not used within 19.8 seconds ends.", .ctap("6.5.2.1"),
            from: .pin, needs: [.optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.credentialToken(.getAssertion)
            try await bench.wait(.seconds(21))
            bench.expect(try await bench.assert(silently: true, token: token), .pinAuthInvalid)
        }
        card(
            "token.unusedLives", "Over NFC, a token is good for 18 seconds before its first use.", .ctap("6.5.2.1"),
            from: .pin, needs: [.optionOff(.noMcGaPermissionsWithClientPin)]
        ) { bench in
            let token = try await bench.credentialToken(.getAssertion)
            try await bench.wait(.seconds(18))
            bench.expectAcceptedPinUvAuthParam(try await bench.assert(silently: true, token: token))
        }
    }

    /// Requests that wait for the user, on a card with a button (§11.3.7).
    @CaseTable static var updates: [Case] {
        waiting(
            "nfcctapGetResponse.cancel", "NFCCTAP_GETRESPONSE with P1 0x11 cancels a request that waits for the user.",
            .ctap("11.3.7.2")
        ) { bench, card in
            try await bench.userWaits()
            let answer = try await card.transmit(NFCCases.message([CTAPCommand.selection.rawValue], parameter: 0x80))
            guard answer.status == .statusUpdate else {
                throw CaseStop.notApplicable("a selection does not wait for the user, but ends with \(answer.status)")
            }
            var cancelled = try await card.transmit([0x80, 0x11, NFCCTAP.cancel, 0x00, 0x00])
            var polls = 0
            while cancelled.status == .statusUpdate, polls < 10 {
                cancelled = try await card.transmit([0x80, 0x11, 0x00, 0x00, 0x00])
                polls += 1
            }
            bench.expect(
                cancelled.data == [CTAPStatus.keepaliveCancel.rawValue], "CTAP2_ERR_KEEPALIVE_CANCEL (0x2D)",
                seen: "\(Hex.encode(cancelled.data.prefix(8))) \(cancelled.status)")
        }
        waiting(
            "nfcctapGetResponse.unannounced",
            "A client that does not announce NFCCTAP_GETRESPONSE gets no status update.", .ctap("11.3.7.1"),
            needs: [.simulatedDevice]
        ) { bench, card in
            // More than twice the time after which a card sends an update.
            try await bench.userAgrees(after: .milliseconds(250))
            let answer = try await card.transmit(NFCCases.message([CTAPCommand.selection.rawValue]))
            bench.expect(
                answer.status == .noError, "an answer of CTAP under NO_ERROR (0x9000)",
                seen: "\(Hex.encode(answer.data.prefix(8))) \(answer.status)")
        }
    }

    /// Registers with the tap of the card, or ends the case.
    private static func registerByTap(_ bench: AuthenticatorBench) async throws {
        let request = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
        guard try await bench.send(.makeCredential, request).status == .ok else { throw noRegistration }
    }

    private static let noRegistration = CaseStop.blocked(
        "a tap is not the touch of a registration, see nfc.message.tap")

    /// A case whose messages go to a simulated card.
    private static func card(
        _ name: String, _ title: String, _ clause: Clause, from start: StartingState = .any,
        needs: [AuthenticatorNeed] = [], _ steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) -> Case {
        Case("nfc.\(name)", title, clause, from: start, needs: [.apdus, .simulatedDevice] + needs) { bench in
            try await bench.overNFC { try await steps(bench) }
        }
    }

    /// A case with the application of a newly laid card selected; a card whose tap is the touch does not wait.
    private static func waiting(
        _ name: String, _ title: String, _ clause: Clause, needs: [AuthenticatorNeed] = [],
        _ steps: @escaping @Sendable (AuthenticatorBench, CardChannel) async throws -> Void
    ) -> Case {
        Case("nfc.\(name)", title, clause, needs: [.apdus, .ctap21] + needs) { bench in
            guard let card = bench.card else { throw CaseStop.notRun("the device is not reached by NFC") }
            try await bench.restartCard()
            bench.expect(try await card.select(), .noError, for: "SELECT")
            try await steps(bench, card)
        }
    }

    private static func requireTaps(_ bench: AuthenticatorBench) throws {
        guard try bench.simulatedDevice.profile.authenticator.contactlessPresence == .tap else {
            throw CaseStop.notApplicable("the card has a button of its own")
        }
    }
}
