import Foundation
import Providers
import Testing

/// Sign-up and sign-in with an e-mail code through the Cognito-like and the Authsignal-like service (K4–K10, N7).
@Suite struct CustomAuthTests {
    private let email = "nora@touchstone.example"

    private struct Challenge {
        let session: String
        let token: String

        init(_ answer: Answer) throws {
            try #require(answer.status == 200, "\(answer.text)")
            let object = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
            #expect(object["ChallengeName"] as? String == "CUSTOM_CHALLENGE")
            session = try #require(object["Session"] as? String)
            token = try #require((object["ChallengeParameters"] as? [String: String])?["token"])
        }
    }

    private func signUp(_ client: HTTPClient) async throws {
        let answer = try await client.cognito(
            "SignUp", ["ClientId": "app", "Username": email, "Password": "random-and-never-used"])
        #expect(answer.status == 200)
    }

    private func initiate(_ client: HTTPClient, _ flow: String = "CUSTOM_AUTH", _ name: String? = nil) async throws
        -> Answer
    {
        try await client.cognito(
            "InitiateAuth",
            [
                "AuthFlow": flow,
                "AuthParameters": ["USERNAME": name ?? email, "PASSWORD": "random-and-never-used"],
            ])
    }

    private func respond(_ client: HTTPClient, _ session: String, _ answer: String, _ name: String? = nil) async throws
        -> Answer
    {
        try await client.cognito(
            "RespondToAuthChallenge",
            [
                "ChallengeName": "CUSTOM_CHALLENGE", "Session": session,
                "ChallengeResponses": ["USERNAME": name ?? email, "ANSWER": answer],
            ])
    }

    /// Enrols the address, and reads the code from the mailbox.
    private func code(_ challenge: Challenge, _ client: HTTPClient) async throws -> String {
        let enrolled = try await client.post(
            "/authsignal/v1/client/user-authenticators/email-otp", ["email": email], bearer: challenge.token)
        try #require(enrolled.status == 200)
        return try #require(try await client.codes(to: email).last)
    }

    private func verify(_ code: String, _ challenge: Challenge, _ client: HTTPClient) async throws -> Answer {
        try await client.post(
            "/authsignal/v1/client/verify/email-otp", ["verificationCode": code], bearer: challenge.token)
    }

    private func result(_ answer: Answer) throws -> String {
        return try #require(answer["accessToken"])
    }

    @Test func anEMailCodeSignsIn() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await signUp(client)
            let challenge = try Challenge(try await initiate(client))
            let code = try await code(challenge, client)
            #expect(code.count == 6)
            let token = try result(try await verify(code, challenge, client))
            let signedIn = try await respond(client, challenge.session, token)
            #expect(signedIn.status == 200)
            let tokens = try #require(
                try JSONSerialization.jsonObject(with: signedIn.body) as? [String: [String: Any]])
            let access = tokens["AuthenticationResult"]?["AccessToken"] as? String
            #expect(try await client.get("/gateway/v1/home", bearer: access)["screen"] == "peer-mentor-home")
        }
    }

    @Test func thePasswordOfASignUpOpensNothing() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await signUp(client)
            for flow in ["USER_PASSWORD_AUTH", "USER_SRP_AUTH"] {
                #expect(try await initiate(client, flow)["__type"] == "NotAuthorizedException")
            }
            let body = ["email": email, "password": "random-and-never-used"]
            let gateway = try await client.post("/gateway/v1/token?grant_type=password", body)
            #expect(gateway.code == "invalid_credentials")
            let site = ["username": email, "password": "random-and-never-used"]
            #expect(try await client.post("/api/v1/auth/password/sign-in", site).code == "signIn.refused")
        }
    }

    @Test func wrongUsedAndOldCodesAreRefused() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await signUp(client)
            let challenge = try Challenge(try await initiate(client))
            #expect(try await verify("123456", challenge, client)["errorCode"] == "not_enrolled")
            let code = try await code(challenge, client)
            let wrong = code == "000000" ? "111111" : "000000"
            #expect(try await verify(wrong, challenge, client)["errorCode"] == "code_invalid")
            #expect(try await verify(code, challenge, client).status == 200)
            #expect(try await verify(code, challenge, client)["errorCode"] == "code_invalid")
            let old = try await self.code(challenge, client)
            street.advance(by: .seconds(599))
            let later = try Challenge(try await initiate(client))
            street.advance(by: .seconds(1))
            #expect(try await verify(old, later, client)["errorCode"] == "code_expired")
            for _ in 1...4 { _ = try await verify(wrong, later, client) }
            #expect(try await verify(old, later, client)["errorCode"] == "code_expired")
            _ = try await verify(wrong, later, client)
            #expect(try await verify(old, later, client)["errorCode"] == "too_many_attempts")
        }
    }

    @Test func theTokenToEnrolIsShortLivedAndForItsUser() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await signUp(client)
            let challenge = try Challenge(try await initiate(client))
            let path = "/authsignal/v1/client/user-authenticators/email-otp"
            let other = try await client.post(path, ["email": "other@touchstone.example"], bearer: challenge.token)
            #expect(other["errorCode"] == "email_mismatch")
            #expect(try await client.post(path, ["email": email])["errorCode"] == "invalid_token")
            street.advance(by: .seconds(600))
            let late = try await client.post(path, ["email": email], bearer: challenge.token)
            #expect(late.status == 401)
            #expect(late["errorCode"] == "token_expired")
        }
    }

    @Test func forgedReplayedAndForeignAnswersDoNotSignIn() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await signUp(client)
            let challenge = try Challenge(try await initiate(client))
            let token = try result(try await verify(try await code(challenge, client), challenge, client))
            let forged = try await respond(client, challenge.session, token + "A")
            let second = try Challenge(forged)
            // A session is good for one answer.
            #expect(try await respond(client, challenge.session, token)["__type"] == "NotAuthorizedException")
            #expect(try await respond(client, second.session, token).status == 200)
            let third = try Challenge(try await initiate(client))
            _ = try Challenge(try await respond(client, third.session, token))
            let other = try await client.cognito(
                "SignUp", ["Username": "omar@touchstone.example", "Password": "random-and-never-used"])
            #expect(other.status == 200)
            let foreign = try Challenge(try await initiate(client, "CUSTOM_AUTH", "omar@touchstone.example"))
            let own = try Challenge(try await initiate(client))
            let ofNora = try result(try await verify(try await code(own, client), own, client))
            let crossed = try await respond(client, foreign.session, ofNora, "omar@touchstone.example")
            _ = try Challenge(crossed)
        }
    }

    @Test func anUnknownUserIsNamedAndCanSignUp() async throws {
        try await Street.run { street in
            let client = try street.client()
            let unknown = try await initiate(client)
            #expect(unknown.status == 400)
            #expect(unknown["__type"] == "UserNotFoundException")
            try await signUp(client)
            _ = try Challenge(try await initiate(client))
        }
    }

    @Test func aServiceThatHidesUnknownUsersGivesThemAChallengeAndNoTokens() async throws {
        try await Street.run { street in
            street.change { $0.cognito.hidesUnknownUsers = true }
            let client = try street.client()
            let challenge = try Challenge(try await initiate(client))
            let token = try result(try await verify(try await code(challenge, client), challenge, client))
            var session = challenge.session
            for _ in 1...2 { session = try Challenge(try await respond(client, session, token)).session }
            #expect(try await respond(client, session, token)["__type"] == "NotAuthorizedException")
        }
    }

    @Test func aSessionOfThreeMinutesExpires() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await signUp(client)
            let challenge = try Challenge(try await initiate(client))
            let token = try result(try await verify(try await code(challenge, client), challenge, client))
            street.advance(by: .seconds(180))
            #expect(try await respond(client, challenge.session, token)["__type"] == "NotAuthorizedException")
        }
    }

    @Test func lostAndLateMessagesDoNotArrive() async throws {
        try await Street.run { street in
            let client = try street.client()
            try await signUp(client)
            let challenge = try Challenge(try await initiate(client))
            let enrol = { (client: HTTPClient) in
                try await client.post(
                    "/authsignal/v1/client/user-authenticators/email-otp", ["email": email], bearer: challenge.token)
            }
            street.change { $0.mailbox.losesMessages = true }
            #expect(try await enrol(client).status == 200)
            #expect(try await client.codes(to: email).isEmpty)
            street.change { $0.mailbox = MailboxSettings() }
            street.change { $0.mailbox.delay = .seconds(60) }
            #expect(try await enrol(client).status == 200)
            #expect(try await client.codes(to: email).isEmpty)
            street.advance(by: .seconds(60))
            #expect(try await client.codes(to: email).count == 1)
        }
    }

    @Test func theTriggersArePure() {
        typealias Triggers = CustomAuthTriggers
        let wrong = Triggers.AnsweredChallenge(challengeName: Triggers.challengeName, challengeResult: false)
        let right = Triggers.AnsweredChallenge(challengeName: Triggers.challengeName, challengeResult: true)
        let srp = Triggers.AnsweredChallenge(challengeName: "SRP_A", challengeResult: true)
        #expect(Triggers.define(session: [], userNotFound: false) == .challenge("CUSTOM_CHALLENGE"))
        #expect(Triggers.define(session: [right], userNotFound: false) == .issueTokens)
        #expect(Triggers.define(session: [right], userNotFound: true) == .failAuthentication)
        #expect(Triggers.define(session: [wrong, wrong], userNotFound: false) == .challenge("CUSTOM_CHALLENGE"))
        #expect(Triggers.define(session: [wrong, wrong, wrong], userNotFound: false) == .failAuthentication)
        #expect(Triggers.define(session: [wrong, wrong, right], userNotFound: false) == .issueTokens)
        #expect(Triggers.define(session: [srp], userNotFound: false) == .failAuthentication)
        let expected = ["username": "Nora"]
        #expect(Triggers.verify(privateParameters: expected, provenUser: "nora", userNotFound: false))
        #expect(!Triggers.verify(privateParameters: expected, provenUser: "omar", userNotFound: false))
        #expect(!Triggers.verify(privateParameters: expected, provenUser: nil, userNotFound: false))
        #expect(!Triggers.verify(privateParameters: expected, provenUser: "nora", userNotFound: true))
        #expect(Triggers.create(username: "nora", token: "t").publicParameters["token"] == "t")
        #expect(Triggers.create(username: "nora", token: "t").privateParameters["token"] == nil)
    }
}

extension HTTPClient {
    /// Calls an operation of the Cognito-like service.
    func cognito(_ operation: String, _ body: [String: any Sendable]) async throws -> Answer {
        try await send(
            "POST", "/cognito/", try JSONSerialization.data(withJSONObject: body), type: "application/x-amz-json-1.1",
            fields: ["X-Amz-Target": "AWSCognitoIdentityProviderService.\(operation)"])
    }

    /// The codes in a mailbox.
    func codes(to address: String) async throws -> [String] {
        let box: [String: [[String: String]]] = try await get("/mailbox/\(address)").decode()
        return (box["messages"] ?? []).compactMap { $0["code"] }
    }
}
