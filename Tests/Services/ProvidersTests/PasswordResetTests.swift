import Foundation
import Providers
import Testing

/// A new password by a code in the mailbox.
@Suite struct PasswordResetTests {
    private let email = "ada@example.com"
    private let token = "/gateway/v1/token?grant_type=password"
    private let root = "/gateway/v1"

    private func account(_ client: HTTPClient) async throws {
        let account = ["username": email, "displayName": "Ada", "password": "correct horse"]
        #expect(try await client.post("/api/v1/auth/accounts", account).status == 201)
    }

    private func logIn(_ password: String, _ client: HTTPClient) async throws -> Answer {
        try await client.post(token, ["email": email, "password": password])
    }

    private func recover(_ client: HTTPClient) async throws {
        #expect(try await client.post(root + "/recover", ["email": email]).status == 200)
    }

    private func verify(_ code: String, _ client: HTTPClient) async throws -> Answer {
        try await client.post(root + "/verify", ["type": "recovery", "email": email, "token": code])
    }

    private func set(_ password: String, _ access: String, _ client: HTTPClient) async throws -> Answer {
        let body = try JSONEncoder().encode(["password": password])
        return try await client.send("PUT", root + "/user", body, type: "application/json", bearer: access)
    }

    @Test func newCodesGiveNoFurtherGuesses() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await account(client)
            for _ in 1...4 {
                try await recover(client)
                for _ in 1...5 { #expect(try await verify("wrong", client).code == "otp_expired") }
            }
            let sent = try await client.codes(to: email)
            #expect(sent.count == 4)
            try await recover(client)
            #expect(try await client.codes(to: email).count == 4)
            #expect(try await verify(sent[3], client).code == "otp_expired")
            street.advance(by: .seconds(3601))
            try await recover(client)
            let last = try #require(try await client.codes(to: email).last)
            #expect(try await verify(last, client).status == 200)
        }
    }

    @Test func aCodeServesItsPurposeOnly() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await account(client)
            let session = try Session(try await logIn("correct horse", client))
            #expect(try await client.send("POST", root + "/email/send-code", bearer: session.accessToken).status == 204)
            let forAddress = try #require(try await client.codes(to: email).last)
            #expect(try await verify(forAddress, client).code == "otp_expired")
            try await recover(client)
            let forPassword = try #require(try await client.codes(to: email).last)
            let proof = ["code": forPassword]
            let answer = try await client.post(root + "/email/verify", proof, bearer: session.accessToken)
            #expect(forPassword == forAddress || answer.code == "code_invalid")
        }
    }

    @Test func aSessionOfACodeSetsOnePasswordWithinTenMinutes() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await account(client)
            for wait in [0, 601] {
                try await recover(client)
                let code = try #require(try await client.codes(to: email).last)
                let access = try Session(try await verify(code, client)).accessToken
                street.advance(by: .seconds(wait))
                #expect(try await set("short", access, client).code == "weak_password")
                let expected = wait == 0 ? 200 : 400
                #expect(try await set("battery staple", access, client).status == expected)
                #expect(try await set("staple battery", access, client).code == "reauthentication_needed")
            }
            #expect(try await logIn("battery staple", client).status == 200)
            #expect(try await logIn("staple battery", client).code == "invalid_credentials")
        }
    }

    @Test func anUnusedCodeLeavesThePasswordAndABackOffEndsWithTheReset() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await account(client)
            try await recover(client)
            let first = try #require(try await client.codes(to: email).last)
            let unused = try Session(try await verify(first, client))
            #expect(try await logIn("correct horse", client).status == 200)
            while try await logIn("wrong", client).status != 429 {}
            try await recover(client)
            let second = try #require(try await client.codes(to: email).last)
            let access = try Session(try await verify(second, client)).accessToken
            let user = try await set("battery staple", access, client)
            #expect(user.text.contains("\"has_password\":true"))
            #expect(try await logIn("battery staple", client).status == 200)
            #expect(try await set("staple battery", unused.accessToken, client).code == "session_not_found")
        }
    }
}
