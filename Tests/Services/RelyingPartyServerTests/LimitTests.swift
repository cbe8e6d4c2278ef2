import RelyingPartyServer
import Testing
import WebAuthn

@Suite struct LimitTests {
    private func signIn(_ site: Site, _ name: String = "ada", _ password: String = "wrong horse") async throws -> Answer
    {
        try await site.browser().post("password/sign-in", ["username": name, "password": password])
    }

    @Test(arguments: ["ada", "unknown"])
    func afterFiveWrongPasswordsTheWaitDoubles(name: String) async throws {
        try await Site.run { site in
            _ = try await site.browser(of: "ada", password: "correct horse")
            for _ in 1...5 { #expect(try await signIn(site, name).code == "signIn.refused") }
            for wait in [30, 60, 120] {
                let early = try await signIn(site, name.uppercased())
                #expect(early.status == 429)
                #expect(early.code == "attempts.tooMany")
                #expect(early.field("Retry-After") == String(wait))
                site.advance(by: .seconds(wait))
                #expect(try await signIn(site, name).status == 401)
            }
        }
    }

    @Test func theRightPasswordWaitsTooAndEndsTheCount() async throws {
        try await Site.run { site in
            _ = try await site.browser(of: "ada", password: "correct horse")
            for _ in 1...5 { _ = try await signIn(site) }
            #expect(try await signIn(site, "ada", "correct horse").status == 429)
            site.advance(by: .seconds(30))
            #expect(try await signIn(site, "ada", "correct horse").status == 200)
            for _ in 1...5 { #expect(try await signIn(site).status == 401) }
        }
    }

    @Test func theWaitEndsAtAnHour() async throws {
        try await Site.run(configure: { $0.attemptLimits.perAccount = 1 }) { site in
            for _ in 1...10 {
                _ = try await signIn(site)
                site.advance(by: .seconds(3600))
            }
            #expect(try await signIn(site).status == 401)
            #expect(try await signIn(site).field("Retry-After") == "3600")
        }
    }

    @Test func anAddressHasALimitAcrossAccounts() async throws {
        try await Site.run { site in
            _ = try await site.browser(of: "ada", password: "correct horse")
            for number in 1...20 { #expect(try await signIn(site, "user\(number)").status == 401) }
            #expect(try await signIn(site, "another").status == 429)
            site.advance(by: .seconds(30))
            // A success does not erase the attempts at other accounts.
            #expect(try await signIn(site, "ada", "correct horse").status == 200)
            #expect(try await signIn(site, "another").status == 401)
            #expect(try await signIn(site, "another").status == 429)
        }
    }

    @Test func concurrentAttemptsDoNotPassTheLimitTogether() async throws {
        try await Site.runOnFile { site in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await signIn(site).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [401, 401, 401, 401, 401, 429, 429, 429])
        }
    }

    @Test func guessingTheCurrentPasswordIsLimited() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada", password: "correct horse")
            let guess = ["password": "battery staple", "currentPassword": "wrong horse"]
            for _ in 1...5 { #expect(try await ada.put("password", guess).status == 403) }
            #expect(try await ada.put("password", guess).status == 429)
        }
    }

    @Test func passkeysAreNotLimitedByWrongPasswords() async throws {
        try await Site.run { site in
            var signer = try TestSigner(origin: site.origin)
            try await site.browser(of: "ada", password: "correct horse").register(&signer)
            for _ in 1...6 { _ = try await signIn(site) }
            #expect(try await site.browser().signIn(&signer).status == 200)
        }
    }

    @Test func anAccountHasALimitedNumberOfPasskeys() async throws {
        try await Site.run(configure: { $0.maximumPasskeys = 2 }) { site in
            let ada = try await site.browser(of: "ada")
            var signers = try (1...3).map { try TestSigner(origin: site.origin, seed: UInt64($0)) }
            let early = try await ada.beginRegistration()
            try await ada.register(&signers[0])
            try await ada.register(&signers[1])
            let begin = try await ada.post("passkeys/register/begin")
            #expect(begin.status == 409)
            #expect(begin.code == "passkeys.tooMany")
            let late = try await ada.post("passkeys/register/complete", signers[2].register(early))
            #expect(late.code == "passkeys.tooMany")
            #expect(try await ada.passkeys().count == 2)
        }
    }

    @Test(
        arguments: [
            String(repeating: "a", count: 65), "", "a b", "a\u{0}", "a\u{202E}b", "a\u{200F}", "\u{2067}a",
            "a" + String(repeating: "\u{301}", count: 200),
        ])
    func anInvalidNameIsRefusedWithoutASessionToo(name: String) async throws {
        try await Site.run { site in
            let browser = try site.browser()
            let answer = try await browser.post("passkeys/authenticate/begin", ["username": name])
            #expect(answer.status == 400)
            #expect(answer.code == "username.invalid")
            #expect(browser.token == nil)
        }
    }

    @Test func aNameIsTheSameInEveryUnicodeForm() async throws {
        try await Site.run { site in
            let (composed, decomposed) = ("\u{E9}va", "e\u{301}va")
            let ada = try await site.browser(of: decomposed, password: "correct horse")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            let session = try await ada.get("session").decode(SessionView.self)
            #expect(Array(session.user.username.unicodeScalars) == Array(composed.unicodeScalars))
            let again = try await site.browser().post("accounts", ["username": composed, "displayName": "E"])
            #expect(again.code == "username.taken")
            for name in [composed, decomposed] {
                let options = try await site.browser().beginAuthentication(["username": name])
                #expect(options.allowCredentials?.map(\.id.bytes) == [signer.id])
                #expect(try await signIn(site, name, "correct horse").status == 200)
            }
        }
    }

    @Test func aPasskeyIsRenamed() async throws {
        try await Site.run { site in
            let (ada, bob) = (try await site.browser(of: "ada"), try await site.browser(of: "bob"))
            var signer = try TestSigner(origin: site.origin)
            let before = try await ada.register(&signer)
            let path = ada.api("passkeys/\(Base64URL.encode(signer.id))")
            func rename(_ browser: Browser, to name: String) async throws -> Answer {
                try await browser.send("PATCH", path, json(["deviceName": name]))
            }
            var expected = before
            expected.deviceName = "Work phone"
            #expect(try await rename(ada, to: " Work phone ").decode(PasskeyView.self) == expected)
            #expect(try await ada.passkeys() == [expected])
            #expect(try await rename(ada, to: "a\u{202E}b").code == "deviceName.invalid")
            #expect(try await ada.send("PATCH", path, json([String: String]())).code == "json.invalidMember")
            #expect(try await rename(bob, to: "Mine").code == "credential.notFound")
            #expect(try await rename(site.browser(), to: "Mine").code == "session.required")
            #expect(try await ada.passkeys() == [expected])
        }
    }
}
