import RelyingParty
import RelyingPartyServer
import Testing
import WebAuthn

@Suite struct DeletionTests {
    private func path(_ signer: TestSigner) -> String { "passkeys/\(Base64URL.encode(signer.id))" }

    @Test func removingAPasskeyNeedsAFreshVerification() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada", password: "correct horse")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            #expect(try await ada.signIn(&signer).status == 200)
            site.advance(by: .seconds(301))
            let refused = try await ada.delete(path(signer))
            #expect(refused.status == 403)
            #expect(refused.code == "reauthentication.required")
            #expect(try await ada.passkeys().count == 1)
            try await ada.reauthenticate(&signer)
            #expect(try await ada.delete(path(signer)).status == 204)
            #expect(try await ada.passkeys().isEmpty)
            // A lost device's passkey cannot sign in once removed (A5).
            #expect(try await site.browser().signIn(&signer).reasons.contains(.credentialUnknown))
        }
    }

    @Test(arguments: [(300, 204), (301, 403)])
    func aVerificationStaysFreshForFiveMinutes(seconds: Int, status: Int) async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada", password: "correct horse")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            try await ada.reauthenticate(&signer)
            site.advance(by: .seconds(seconds))
            #expect(try await ada.delete(path(signer)).status == status)
        }
    }

    @Test func presenceAloneDoesNotMakeASessionFresh() async throws {
        try await Site.run(configure: { $0.userVerification.reauthentication = .preferred }) { site in
            let ada = try await site.browser(of: "ada", password: "correct horse")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            signer.flags = [.userPresent]
            try await ada.reauthenticate(&signer)
            #expect(try await ada.delete(path(signer)).code == "reauthentication.required")
        }
    }

    @Test func anotherUsersPasskeyDoesNotMakeASessionFresh() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada", password: "correct horse")
            var own = try TestSigner(origin: site.origin, seed: 1)
            var foreign = try TestSigner(origin: site.origin, seed: 2)
            try await ada.register(&own)
            try await site.browser(of: "bob").register(&foreign)
            let answer = try await ada.signIn(&foreign, ["purpose": "reauthenticate"])
            #expect(answer.status == 401)
            #expect(answer.failedSteps == [.allowedCredential, .knownUser])
            #expect(try await ada.delete(path(own)).code == "reauthentication.required")
        }
    }

    @Test func anotherUsersAndUnknownPasskeysLookAlike() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            let bob = try await site.browser(of: "bob")
            var own = try TestSigner(origin: site.origin, seed: 1)
            var foreign = try TestSigner(origin: site.origin, seed: 2)
            try await ada.register(&own)
            try await bob.register(&foreign)
            try await ada.reauthenticate(&own)
            let answers = [try await ada.delete(path(foreign)), try await ada.delete("passkeys/AAAA")]
            #expect(answers.allSatisfy { $0.status == 404 && $0.code == "credential.notFound" })
            #expect(answers[0].body == answers[1].body)
            #expect(try await bob.passkeys().map(\.credentialId.bytes) == [foreign.id])
            #expect(try await ada.passkeys().map(\.credentialId.bytes) == [own.id])
        }
    }

    @Test func theLastCredentialStays() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            var first = try TestSigner(origin: site.origin, seed: 1)
            var second = try TestSigner(origin: site.origin, seed: 2)
            try await ada.register(&first)
            try await ada.register(&second)
            try await ada.reauthenticate(&first)
            #expect(try await ada.delete(path(second)).status == 204)
            let refused = try await ada.delete(path(first))
            #expect(refused.status == 409)
            #expect(refused.code == "credential.last")
            #expect(try await ada.put("password", ["password": "correct horse"]).status == 204)
            #expect(try await ada.delete(path(first)).status == 204)
            #expect(try await ada.delete("password").code == "credential.last")
        }
    }

    @Test func exactlyOneOfTwoConcurrentDeletionsSucceeds() async throws {
        try await Site.runOnFile { site in
            let ada = try await site.browser(of: "ada")
            var signers: [TestSigner] = []
            for seed in 1...4 {
                var signer = try TestSigner(origin: site.origin, seed: UInt64(seed))
                try await ada.register(&signer)
                signers.append(signer)
            }
            try await ada.reauthenticate(&signers[0])
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for signer in signers { group.addTask { try await ada.delete(path(signer)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status).sorted() == [204, 204, 204, 409])
            #expect(answers.first { $0.status == 409 }?.code == "credential.last")
            #expect(try await ada.passkeys().count == 1)
        }
    }
}
