/// A scenario's sessions with a relying party by their names, each with cookies of its own.
struct NamedSessions<Session: Sendable>: Sendable {
    private var byName: [String: Session]
    private var chosen: Session
    private let begin: @Sendable (Session) -> Session

    /// - Parameter begin: begins a session beside another one.
    init(first: Session, beside begin: @escaping @Sendable (Session) -> Session) {
        (byName, chosen) = ([firstSessionName: first], first)
        self.begin = begin
    }

    /// The session of the current step: its own inside `together`, otherwise the chosen one.
    mutating func current() -> Session { Turns.lane?.session.map { session(of: $0) } ?? chosen }

    /// Changes to the session of this name.
    mutating func use(_ name: String) { chosen = session(of: name) }

    /// The session of this name; an unknown name begins a session.
    private mutating func session(of name: String) -> Session {
        let session = byName[name] ?? begin(chosen)
        byName[name] = session
        return session
    }
}

/// The name of the session at the start.
let firstSessionName = "app"
