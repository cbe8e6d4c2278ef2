/// The three triggers of Cognito's custom authentication, as pure functions.
package enum CustomAuthTriggers {
    package static let challengeName = "CUSTOM_CHALLENGE"

    package struct AnsweredChallenge: Hashable, Sendable {
        package let challengeName: String
        package let challengeResult: Bool

        package init(challengeName: String, challengeResult: Bool) {
            self.challengeName = challengeName
            self.challengeResult = challengeResult
        }
    }

    package enum Decision: Hashable, Sendable {
        case challenge(String)
        case issueTokens
        case failAuthentication
    }

    /// The number of wrong answers that end the authentication.
    package static let attempts = 3

    /// Define Auth Challenge: a right answer issues tokens, the third wrong one fails.
    ///
    /// An unknown user also gets a challenge but never tokens, so that the answer does not tell which users exist.
    package static func define(session: [AnsweredChallenge], userNotFound: Bool) -> Decision {
        guard session.allSatisfy({ $0.challengeName == challengeName }) else { return .failAuthentication }
        if session.last?.challengeResult == true { return userNotFound ? .failAuthentication : .issueTokens }
        return session.count < attempts ? .challenge(challengeName) : .failAuthentication
    }

    package struct CreatedChallenge: Hashable, Sendable {
        package let publicParameters: [String: String]
        package let privateParameters: [String: String]
    }

    /// Create Auth Challenge: the client gets the token to enrol with; only the service knows whom it expects.
    package static func create(username: String, token: String) -> CreatedChallenge {
        CreatedChallenge(
            publicParameters: ["USERNAME": username, "token": token], privateParameters: ["username": username])
    }

    /// Verify Auth Challenge Response: the answer is a result token of the expected user.
    ///
    /// - Parameter provenUser: the user that the answer proves; nil for a forged, expired or used answer.
    package static func verify(privateParameters: [String: String], provenUser: String?, userNotFound: Bool) -> Bool {
        guard !userNotFound, let provenUser, let expected = privateParameters["username"] else { return false }
        return provenUser.lowercased() == expected.lowercased()
    }
}
