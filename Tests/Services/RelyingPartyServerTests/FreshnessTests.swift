import RelyingParty
import RelyingPartyServer
import Testing
import WebAuthn

/// Adding a credential needs a recent proof of ownership; a removed credential ends the sessions it opened.
@Suite struct FreshnessTests {
    private func signIn(_ browser: Browser, _ password: String) async throws -> Answer {
        try await browser.post("password/sign-in", ["username": "ada", "password": password])
    }

    @Test(arguments: [(300, 200), (301, 403)])
    func aNewAccountCanAddAPasskeyForFiveMinutes(seconds: Int, status: Int) async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            site.advance(by: .seconds(seconds))
            let answer = try await ada.post("passkeys/register/begin")
            #expect(answer.status == status)
            #expect(answer.code == (status == 403 ? "reauthentication.required" : nil))
        }
    }

    @Test(arguments: [(300, 204), (301, 403)])
    func aNewAccountCanAddAPasswordForFiveMinutes(seconds: Int, status: Int) async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            site.advance(by: .seconds(seconds))
            #expect(try await ada.put("password", ["password": "correct horse"]).status == status)
        }
    }

    @Test func aStolenSessionCannotAddItsOwnPasskeyNorAPassword() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            var owner = try TestSigner(origin: site.origin, seed: 1)
            try await ada.register(&owner)
            #expect(try await ada.signIn(&owner).status == 200)
            site.advance(by: .seconds(301))
            let thief = try site.browser()
            thief.token = ada.token
            #expect(try await thief.post("passkeys/register/begin").code == "reauthentication.required")
            #expect(try await thief.put("password", ["password": "thief's own"]).code == "reauthentication.required")
            var own = try TestSigner(origin: site.origin, seed: 2)
            own.userHandle = owner.userHandle
            #expect(try await thief.signIn(&own, ["purpose": "reauthenticate"]).status == 401)
            #expect(try await ada.passkeys().map(\.credentialId.bytes) == [owner.id])
        }
    }

    @Test func aReauthenticationLetsTheOwnerAddAPasskey() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            var first = try TestSigner(origin: site.origin, seed: 1)
            var second = try TestSigner(origin: site.origin, seed: 2)
            try await ada.register(&first)
            site.advance(by: .seconds(301))
            #expect(try await ada.post("passkeys/register/begin").status == 403)
            try await ada.reauthenticate(&first)
            try await ada.register(&second)
            #expect(try await ada.passkeys().count == 2)
        }
    }

    @Test func oneGestureSignsInAndLetsTheOwnerManagePasskeys() async throws {
        try await Site.run { site in
            var first = try TestSigner(origin: site.origin, seed: 1)
            var second = try TestSigner(origin: site.origin, seed: 2)
            try await site.browser(of: "ada").register(&first)
            site.advance(by: .seconds(1000))
            let ada = try site.browser()
            #expect(try await ada.signIn(&first).status == 200)
            try await ada.register(&second)
            #expect(try await ada.delete("passkeys/\(Base64URL.encode(first.id))").status == 204)
        }
    }

    @Test func aSignInWithoutVerificationIsNotFresh() async throws {
        try await Site.run(configure: { $0.userVerification.signIn = .preferred }) { site in
            var signer = try TestSigner(origin: site.origin)
            try await site.browser(of: "ada").register(&signer)
            signer.flags = [.userPresent]
            let ada = try site.browser()
            #expect(try await ada.signIn(&signer).status == 200)
            #expect(try await ada.post("passkeys/register/begin").code == "reauthentication.required")
        }
    }

    @Test func thePasswordLetsTheOwnerAddAPasskeyButNotDeleteOne() async throws {
        try await Site.run { site in
            var first = try TestSigner(origin: site.origin, seed: 1)
            var second = try TestSigner(origin: site.origin, seed: 2)
            try await site.browser(of: "ada", password: "correct horse").register(&first)
            site.advance(by: .seconds(1000))
            let ada = try site.browser()
            #expect(try await signIn(ada, "correct horse").status == 200)
            try await ada.register(&second)
            let refused = try await ada.delete("passkeys/\(Base64URL.encode(first.id))")
            #expect(refused.code == "reauthentication.required")
            site.advance(by: .seconds(301))
            #expect(try await ada.post("passkeys/register/begin").status == 403)
        }
    }

    @Test func deletingAPasskeyEndsTheSessionsItOpened() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada", password: "correct horse")
            var lost = try TestSigner(origin: site.origin, seed: 1)
            var kept = try TestSigner(origin: site.origin, seed: 2)
            try await ada.register(&lost)
            try await ada.register(&kept)
            let others = [try site.browser(), try site.browser(), try site.browser()]
            #expect(try await others[0].signIn(&lost).status == 200)
            #expect(try await others[1].signIn(&kept).status == 200)
            #expect(try await signIn(others[2], "correct horse").status == 200)
            try await ada.reauthenticate(&kept)
            #expect(try await ada.delete("passkeys/\(Base64URL.encode(lost.id))").status == 204)
            #expect(try await others[0].get("session").code == "session.required")
            for browser in [ada, others[1], others[2]] { #expect(try await browser.get("session").status == 200) }
        }
    }

    @Test func changingThePasswordEndsTheOtherSessions() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada", password: "correct horse")
            let bob = try await site.browser(of: "bob")
            let other = try site.browser()
            #expect(try await signIn(other, "correct horse").status == 200)
            let change = ["password": "battery staple", "currentPassword": "correct horse"]
            #expect(try await ada.put("password", change).status == 204)
            #expect(try await other.get("session").code == "session.required")
            #expect(try await ada.get("session").status == 200)
            #expect(try await bob.get("session").status == 200)
        }
    }

    @Test func removingThePasswordEndsTheOtherSessionsItOpened() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada", password: "correct horse")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            let (byPassword, byPasskey) = (try site.browser(), try site.browser())
            #expect(try await signIn(byPassword, "correct horse").status == 200)
            #expect(try await byPasskey.signIn(&signer).status == 200)
            try await ada.reauthenticate(&signer)
            #expect(try await ada.delete("password").status == 204)
            #expect(try await byPassword.get("session").status == 401)
            #expect(try await byPasskey.get("session").status == 200)
        }
    }
}
