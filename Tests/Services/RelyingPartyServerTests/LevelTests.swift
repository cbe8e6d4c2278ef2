import RelyingParty
import RelyingPartyServer
import Testing
import WebAuthn

/// Level 2 reads the token binding, and has no steps for frames and backup flags (A12).
@Suite struct LevelTests {
    @Test(
        arguments: [
            (#"{"status":"supported"}"#, nil), (#"{"status":"unknown to this server"}"#, nil), ("null", nil),
            (#"{"status":"present","id":"AAAA"}"#, .tokenBindingUnexpected), (#""present""#, .tokenBindingMalformed),
            ("{}", .tokenBindingMalformed),
        ] as [(String, ReasonLabel?)])
    func theTokenBindingIsReadAtLevel2Only(tokenBinding: String, reason: ReasonLabel?) async throws {
        for level in WebAuthnLevel.allCases {
            try await Site.run(configure: { $0.level = level }) { site in
                let ada = try await site.browser(of: "ada")
                var signer = try TestSigner(origin: site.origin)
                var response = signer.register(try await ada.beginRegistration())
                let members = response.response.clientDataJSON.bytes.dropLast()
                response.response.clientDataJSON = Base64URLBytes(
                    members + Array(#","tokenBinding":\#(tokenBinding)}"#.utf8))
                let answer = try await ada.post("passkeys/register/complete", response)
                let expected = level == .two ? reason : nil
                #expect(answer.reasons == (expected.map { [$0] } ?? []))
                #expect(answer.failedSteps == (expected == nil ? [] : [.origin]))
            }
        }
    }

    @Test(arguments: WebAuthnLevel.allCases)
    func stepsOfLevel3AreNotApplicableAtLevel2(level: WebAuthnLevel) async throws {
        try await Site.run(configure: { $0.level = level }) { site in
            let ada = try await site.browser(of: "ada")
            var signer = try TestSigner(origin: site.origin)
            signer.flags.insert(.backupState)
            let response = signer.register(try await ada.beginRegistration()) {
                $0.clientData.crossOrigin = true
                $0.clientData.topOrigin = "https://evil.example"
            }
            let registration = try await ada.post("passkeys/register/complete", response)
            guard level == .two else {
                #expect(registration.failedSteps == [.crossOrigin, .topOrigin, .backupConsistency])
                return
            }
            #expect(registration.status == 201)
            #expect(try await ada.signIn(&signer).status == 200)
            let ledgers = site.events.map(\.ledger)
            let steps = ledgers.flatMap(\.entries).filter { entry in
                if case .notApplicable("WebAuthn Level 2 has no such step") = entry.outcome { true } else { false }
            }
            #expect(
                steps.map(\.step) == [.crossOrigin, .topOrigin, .backupConsistency, .backupPolicy, .assertionBackup])
        }
    }
}
