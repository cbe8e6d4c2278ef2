import GRDB
import Testing
import WebAuthn

@Suite struct AccountTests {
    @Test func aNewAccountIsSignedIn() async throws {
        try await Site.run { site in
            let browser = try site.browser()
            let answer = try await browser.post("accounts", ["username": "ada", "displayName": "Ada L."])
            #expect(answer.status == 201)
            let result = try answer.decode(SignedInView.self)
            #expect(result.session.user.username == "ada")
            #expect(result.session.user.displayName == "Ada L.")
            #expect(result.session.user.hasPassword == false)
            #expect(result.session.authenticatedBy == "enrolment")
            #expect(result.session.expiresAt == "2026-05-29T20:26:40.000Z")
            let cookie = try #require(answer.field("Set-Cookie"))
            for part in ["touchstone_session=\(result.token)", "HttpOnly", "SameSite=Lax", "Path=/"] {
                #expect(cookie.contains(part))
            }
        }
    }

    @Test func aSessionTokenWorksAsABearerToken() async throws {
        try await Site.run { site in
            let token = try #require(try await site.browser(of: "ada").token)
            let app = try site.browser()
            func session(_ authorization: String) async throws -> Int {
                try await app.send("GET", "/api/v1/auth/session", fields: ["Authorization": authorization]).status
            }
            #expect(try await session("Bearer \(token)") == 200)
            #expect(try await session("bearer \(token)") == 200)
            #expect(try await session("Basic \(token)") == 401)
            #expect(try await session("Bearer \(String(token.reversed()))") == 401)
            #expect(try await session("Bearer") == 401)
        }
    }

    @Test func aUserNameIsTakenOnceInEitherCase() async throws {
        try await Site.run { site in
            _ = try await site.browser(of: "ada")
            for name in ["ada", "ADA"] {
                let answer = try await site.browser().post("accounts", ["username": name, "displayName": "A"])
                #expect(answer.status == 409)
                #expect(answer.code == "username.taken")
            }
        }
    }

    @Test(
        arguments: [
            ("", "Ada", nil, "username.invalid"), ("a b", "Ada", nil, "username.invalid"),
            (" ada", "Ada", nil, "username.invalid"), ("a\u{7}", "Ada", nil, "username.invalid"),
            (String(repeating: "a", count: 65), "Ada", nil, "username.invalid"),
            ("ada", " ", nil, "displayName.invalid"),
            ("ada", "Ada", "short", "password.invalid"),
            ("ada", "Ada", String(repeating: "p", count: 1025), "password.invalid"),
        ] as [(String, String, String?, String)])
    func anInvalidAccountIsRefused(username: String, displayName: String, password: String?, code: String)
        async throws
    {
        try await Site.run { site in
            var body: [String: String] = ["username": username, "displayName": displayName]
            body["password"] = password
            let answer = try await site.browser().post("accounts", body)
            #expect(answer.status == 400)
            #expect(answer.code == code)
        }
    }

    @Test func aPasswordSignsIn() async throws {
        try await Site.runOnFile { site in
            _ = try await site.browser(of: "ada", password: "correct horse")
            let browser = try site.browser()
            let answer = try await browser.post(
                "password/sign-in", ["username": "Ada", "password": "correct horse"])
            #expect(answer.status == 200)
            #expect(try answer.decode(SignedInView.self).session.authenticatedBy == "password")
            #expect(try await browser.get("session").status == 200)
            let stored: String = try #require(try site.rows("SELECT password_hash FROM users").first)[0]
            #expect(stored.hasPrefix("scrypt$16$1$1$"))
            #expect(!stored.contains("horse"))
        }
    }

    @Test func aWrongPasswordAndAnUnknownNameGetTheSameAnswer() async throws {
        try await Site.run { site in
            _ = try await site.browser(of: "ada", password: "correct horse")
            _ = try await site.browser(of: "bob")
            var bodies: [Answer] = []
            for (name, password) in [
                ("ada", "battery staple"), ("ada", ""), ("bob", "correct horse"), ("unknown", "correct horse"),
            ] {
                bodies.append(
                    try await site.browser().post("password/sign-in", ["username": name, "password": password]))
            }
            #expect(bodies.allSatisfy { $0.status == 401 && $0.code == "signIn.refused" })
            #expect(Set(bodies.map(\.body)).count == 1)
        }
    }

    @Test func changingAPasswordNeedsTheOldOneOrAFreshVerification() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            #expect(try await ada.put("password", ["password": "correct horse"]).status == 204)
            #expect(try await ada.put("password", ["password": "battery staple"]).code == "reauthentication.required")
            let wrong = ["password": "battery staple", "currentPassword": "wrong horse"]
            #expect(try await ada.put("password", wrong).code == "reauthentication.required")
            let right = ["password": "battery staple", "currentPassword": "correct horse"]
            #expect(try await ada.put("password", right).status == 204)
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            try await ada.reauthenticate(&signer)
            #expect(try await ada.put("password", ["password": "third password"]).status == 204)
            let body = ["username": "ada", "password": "third password"]
            #expect(try await site.browser().post("password/sign-in", body).status == 200)
        }
    }

    @Test func aPasswordIsRemovedOnlyWhileAPasskeyRemains() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada", password: "correct horse")
            #expect(try await ada.delete("password").code == "credential.last")
            var signer = try TestSigner(origin: site.origin)
            try await ada.register(&signer)
            #expect(try await ada.delete("password").code == "reauthentication.required")
            try await ada.reauthenticate(&signer)
            #expect(try await ada.delete("password").status == 204)
            let again = try await ada.delete("password")
            #expect(again.status == 404)
            #expect(again.code == "password.notSet")
        }
    }

    @Test func signingOutEndsTheSession() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            let token = ada.token
            let answer = try await ada.delete("session")
            #expect(answer.status == 204)
            #expect(ada.token == nil)
            ada.token = token
            #expect(try await ada.get("session").status == 401)
        }
    }

    @Test(arguments: [(86_399, 200), (86_400, 401)])
    func aSessionLastsADay(seconds: Int, status: Int) async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            site.advance(by: .seconds(seconds))
            #expect(try await ada.get("session").status == status)
        }
    }

    @Test func theListHoldsOnlyTheUsersPasskeys() async throws {
        try await Site.run { site in
            let ada = try await site.browser(of: "ada")
            let bob = try await site.browser(of: "bob")
            var signers = try (1...3).map { try TestSigner(origin: site.origin, seed: UInt64($0)) }
            try await ada.register(&signers[0])
            try await bob.register(&signers[1])
            try await ada.register(&signers[2])
            #expect(try await ada.passkeys().map(\.credentialId.bytes) == [signers[0].id, signers[2].id])
            #expect(try await bob.passkeys().map(\.credentialId.bytes) == [signers[1].id])
        }
    }
}
