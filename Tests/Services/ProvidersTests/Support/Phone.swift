import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthnClient

/// A phone whose user agrees to everything, and the calls of an app on it to the Authsignal-like and Cognito-like services.
struct Phone: Sendable {
    let http: HTTPClient
    static let root = "/authsignal/v1/client"
    private let passkeys: WebAuthnClient
    private let origin: Origin

    init(_ profile: String, _ street: Street) throws {
        let random = SeededRandomSource(seed: UInt64(profile.utf8.count))
        let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
        let device = try SimulatedDevice(
            profile: try profiles.profile(profile), time: SimulatedClock(), random: random, user: ConsentingUser())
        passkeys = device.client(over: device.ctap, pins: PINScript(), random: random)
        http = try street.client()
        origin = try Origin(parsing: try street.base)
    }

    /// A challenge of the custom authentication.
    struct Challenge {
        let session: String
        let token: String
    }

    func signUp(_ email: String) async throws {
        let body = ["Username": email, "Password": "random-and-never-used"]
        #expect(try await http.cognito("SignUp", body).status == 200)
    }

    func challenge(_ email: String) async throws -> Challenge {
        let answer = try await http.cognito(
            "InitiateAuth", ["AuthFlow": "CUSTOM_AUTH", "AuthParameters": ["USERNAME": email]])
        let object = try #require(answer.object)
        return Challenge(
            session: try #require(object["Session"] as? String),
            token: try #require((object["ChallengeParameters"] as? [String: String])?["token"]))
    }

    func respond(_ email: String, _ challenge: Challenge, _ result: String) async throws -> Answer {
        try await http.cognito(
            "RespondToAuthChallenge",
            [
                "ChallengeName": "CUSTOM_CHALLENGE", "Session": challenge.session,
                "ChallengeResponses": ["USERNAME": email, "ANSWER": result],
            ])
    }

    /// The result token of a code by e-mail.
    func codeToken(_ email: String, _ challenge: Challenge) async throws -> String {
        let enroll = Self.root + "/user-authenticators/email-otp"
        #expect(try await http.post(enroll, ["email": email], bearer: challenge.token).status == 200)
        let code = try #require(try await http.codes(to: email).last)
        let answer = try await http.post(
            Self.root + "/verify/email-otp", ["verificationCode": code], bearer: challenge.token)
        return try #require(answer["accessToken"])
    }

    /// The access token of a custom authentication that a result token completes.
    func access(_ email: String, _ result: (Challenge) async throws -> String) async throws -> String {
        let challenge = try await challenge(email)
        let answer = try await respond(email, challenge, try await result(challenge))
        return try #require((answer.object?["AuthenticationResult"] as? [String: Any])?["AccessToken"] as? String)
    }

    /// A session of the app's backend, by a code.
    func session(_ email: String) async throws -> Session {
        try await exchange(try await access(email) { try await codeToken(email, $0) })
    }

    /// A session of the app's backend, by a passkey.
    func passkeySession(_ email: String) async throws -> Session {
        let (username, token) = try await signIn()
        #expect(username == email)
        return try await exchange(try await access(email) { _ in token })
    }

    private func exchange(_ access: String) async throws -> Session {
        try Session(try await http.post("/gateway/v1/login/cognito", ["access_token": access]))
    }

    /// Begins a ceremony: the challenge's identifier and the options.
    func begin(_ path: String, _ body: [String: String] = [:], bearer: String? = nil) async throws -> (
        challenge: String, options: [String: Any]
    ) {
        let answer = try await http.post(
            Self.root + "/user-authenticators/passkey/" + path, body, bearer: bearer)
        let data = try #require(answer.object, "\(answer.text)")
        return (
            try #require(data["challengeId"] as? String), try #require(data["options"] as? [String: Any])
        )
    }

    /// Sends a credential with the identifier of a challenge.
    ///
    /// - Parameter member: the credential's member.
    func complete(
        _ path: String, _ member: String, _ challenge: String, _ credential: [UInt8], bearer: String? = nil
    ) async throws -> Answer {
        let body: [String: Any] = [
            "challengeId": challenge, member: try JSONSerialization.jsonObject(with: Data(credential)),
        ]
        return try await http.send(
            "POST", Self.root + path, try JSONSerialization.data(withJSONObject: body), bearer: bearer)
    }

    func create(_ options: [String: Any]) async throws -> [UInt8] {
        try await passkeys.create(json: try Self.bytes(options), origin: origin)
    }

    func get(_ options: [String: Any]) async throws -> [UInt8] {
        try await passkeys.get(json: try Self.bytes(options), origin: origin)
    }

    private static func bytes(_ options: [String: Any]) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: options))
    }

    /// Adds a passkey to the account of a session.
    func register(_ session: Session) async throws -> Answer {
        let begun = try await begin("registration-options", bearer: session.accessToken)
        return try await complete(
            "/user-authenticators/passkey", "registrationCredential", begun.challenge,
            try await create(begun.options), bearer: session.accessToken)
    }

    /// Signs in with a passkey, for an action: the user name and the result token.
    func signIn(for action: String = "cognitoAuth") async throws -> (username: String, token: String) {
        let begun = try await begin("authentication-options", ["action": action])
        let answer = try await complete(
            "/verify/passkey", "authenticationCredential", begun.challenge, try await get(begun.options))
        return (try #require(answer["username"], "\(answer.text)"), try #require(answer["accessToken"]))
    }

    /// The identifiers of the account's passkeys.
    func passkeyIDs(_ session: Session) async throws -> [String] {
        let answer = try await http.get("/authsignal/v1/client/user-authenticators", bearer: session.accessToken)
        let rows = try #require(
            try JSONSerialization.jsonObject(with: answer.body) as? [[String: Any]], "\(answer.text)")
        return rows.compactMap { $0["userAuthenticatorId"] as? String }
    }

    func remove(_ id: String, _ token: String?) async throws -> Answer {
        try await http.send("DELETE", "/authsignal/v1/client/user-authenticators/\(id)", bearer: token)
    }
}

extension Answer {
    /// The JSON object.
    var object: [String: Any]? { try? JSONSerialization.jsonObject(with: body) as? [String: Any] }
}
