import RelyingParty
import RelyingPartyServer
import Testing
import WebAuthn

@Suite struct EnumerationTests {
    @Test func unknownNamesGetAPlausibleAndStableList() async throws {
        try await Site.runOnFile { site in
            let names = (0..<20).map { "unknown\($0)" }
            var lists: [[CredentialDescriptor]] = []
            for name in names {
                let options = try await site.browser().beginAuthentication(["username": name])
                let list = try #require(options.allowCredentials)
                #expect((1...3).contains(list.count))
                #expect(list.allSatisfy { $0.id.bytes.count >= 16 && $0.transports?.isEmpty == false })
                lists.append(list)
            }
            #expect(Set(lists).count == names.count)
            #expect(Set(lists.map(\.count)) == [1, 2, 3])
            #expect(Set(lists.map { $0.first?.id.bytes.count }).count > 1)
            try await site.restart()
            for (name, list) in zip(names, lists) {
                let options = try await site.browser().beginAuthentication(["username": name.uppercased()])
                #expect(options.allowCredentials == list)
            }
        }
    }

    @Test func aNameWithoutPasskeysLooksLikeAnUnknownOne() async throws {
        try await Site.run { site in
            _ = try await site.browser(of: "ada", password: "correct horse")
            let options = try await site.browser().beginAuthentication(["username": "ada"])
            #expect((1...3).contains(options.allowCredentials?.count ?? 0))
        }
    }

    @Test func aGuessedAssertionFailsTheSameStepsForKnownAndUnknownNames() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            _ = try await site.browser(of: "bob", password: "correct horse")
            var signer = try TestSigner(origin: site.origin, seed: 1)
            try await ada.register(&signer)
            var ledgers: [[VerificationStep: [ReasonLabel]]] = []
            for name in ["ada", "bob", "unknown"] {
                var guess = try TestSigner(origin: site.origin, seed: 2)
                let browser = try site.browser()
                let options = try await browser.beginAuthentication(["username": name])
                guess.id = try #require(options.allowCredentials?.first).id.bytes
                let response = try guess.authenticate(options) {
                    $0.userHandle = nil
                    // The guess of the backup flags may be wrong, for decoys and for real passkeys.
                    if name != "ada" { $0.authenticatorData.flags.formUnion(Self.backup(of: options)) }
                }
                let answer = try await browser.post("passkeys/authenticate/complete", response)
                #expect(answer.status == 401)
                #expect(answer.code == "authentication.refused")
                let entries = try #require(answer.error?.ledger)
                ledgers.append(
                    Dictionary(uniqueKeysWithValues: entries.map { ($0.step, $0.outcome.reasons.map(\.label)) }))
            }
            #expect(ledgers[0][.signature] == [.signatureInvalid])
            #expect(ledgers[1] == ledgers[0])
            #expect(ledgers[2] == ledgers[0])
        }
    }

    @Test func unknownNamesMatchInTheSameLetterCasesAsTheDatabase() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            try await site.browser(of: "éva").register(&signer)
            func list(_ name: String) async throws -> [CredentialDescriptor]? {
                try await site.browser().beginAuthentication(["username": name]).allowCredentials
            }
            #expect(try await list("éVA")?.map(\.id.bytes) == [signer.id])
            // The database ignores case for ASCII letters only. The same must hold for unknown names.
            #expect(try await list("Éva") != list("éva"))
            #expect(try await list("Zoë") == list("zoë"))
            #expect(try await list("ZOË") != list("zoë"))
        }
    }

    @Test(arguments: [AuthenticatorDataFlags(), .backupEligible, .backupState])
    func aCallerWithoutTheKeyLearnsNeitherCounterNorBackup(flags: AuthenticatorDataFlags) async throws {
        try await Site.run { site in
            var synced = try TestSigner(origin: site.origin, seed: 1)
            synced.flags.formUnion([.backupEligible, .backupState])
            var counting = try TestSigner(origin: site.origin, seed: 2)
            counting.signCount = 7
            try await site.browser(of: "ada").register(&synced)
            try await site.browser(of: "bob").register(&counting)
            for name in ["ada", "bob", "unknown"] {
                var guess = try TestSigner(origin: site.origin, seed: 3)
                let browser = try site.browser()
                let options = try await browser.beginAuthentication(["username": name])
                for descriptor in try #require(options.allowCredentials) {
                    guess.id = descriptor.id.bytes
                    let again = try await browser.beginAuthentication(["username": name])
                    let response = try guess.authenticate(again) {
                        $0.userHandle = nil
                        $0.authenticatorData.flags.formUnion(flags)
                    }
                    let answer = try await browser.post("passkeys/authenticate/complete", response)
                    #expect(answer.failedSteps == [.signature])
                    let unreached = answer.error?.ledger?.filter { $0.outcome == .notReached }.map(\.step)
                    #expect(unreached == [.assertionBackup, .signatureCounter, .updatedState, .stateRelease])
                    #expect(answer.error?.message.contains(VerificationStep.signature.rawValue) == true)
                }
            }
            // The operator sees every step.
            let operatorSees = site.events.filter { $0.username == "bob" }.flatMap(\.ledger.failures).map(\.step)
            #expect(operatorSees.contains(.signatureCounter))
        }
    }

    /// An attacker's guess of the backup flags from the transports.
    private static func backup(of options: RequestOptions) -> AuthenticatorDataFlags {
        options.allowCredentials?.first?.transports?.contains(.hybrid) == true ? [.backupEligible] : []
    }
}
