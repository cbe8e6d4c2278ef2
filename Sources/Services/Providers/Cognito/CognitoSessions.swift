internal import Synchronization

/// A running custom authentication.
struct CognitoSession: Sendable {
    let username: String
    let userNotFound: Bool
    let privateParameters: [String: String]
    let answered: [CustomAuthTriggers.AnsweredChallenge]
    let expiresAt: Duration

    static let lifetime = Duration.seconds(180)
}

/// The running custom authentications, by their opaque sessions, each of which is good for one answer.
final class CognitoSessions: Sendable {
    private let sessions = Mutex<[String: CognitoSession]>([:])
    private static let limit = 10_000

    func keep(_ session: CognitoSession, as identifier: String) {
        sessions.withLock { sessions in
            if sessions.count >= Self.limit { sessions = [:] }
            sessions[identifier] = session
        }
    }

    func take(_ identifier: String) -> CognitoSession? { sessions.withLock { $0.removeValue(forKey: identifier) } }
}
