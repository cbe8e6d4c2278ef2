internal import LoopbackHTTP

/// The sessions of WebDriver clients, and the virtual authenticators of each: devices of the fleet, by their names.
actor WebDriverSessions {
    private static let capacity = 100

    private var authenticators: [String: Set<String>] = [:]

    /// Opens a session.
    func open(_ id: String) throws(APIError) {
        guard authenticators.count < Self.capacity else {
            throw WebDriverError.sessionNotCreated.because("There are \(Self.capacity) sessions; delete one first.")
        }
        authenticators[id] = []
    }

    /// Makes sure there is such a session.
    func require(_ id: String) throws(APIError) {
        guard authenticators[id] != nil else {
            throw WebDriverError.invalidSessionID.because("There is no session “\(id)”.")
        }
    }

    /// Notes an authenticator of a session; whether the session is still there to have it.
    func add(_ authenticator: String, to session: String) -> Bool {
        authenticators[session]?.insert(authenticator) != nil
    }

    /// Makes sure that a session has an authenticator.
    func require(_ authenticator: String, of session: String) throws(APIError) {
        try require(session)
        guard authenticators[session]?.contains(authenticator) == true else {
            throw WebDriverError.invalidArgument.because(
                "The session has no virtual authenticator “\(authenticator)”.")
        }
    }

    /// Forgets an authenticator.
    func remove(_ authenticator: String, of session: String) {
        authenticators[session]?.remove(authenticator)
    }

    /// Ends a session, and says which authenticators it leaves.
    func close(_ id: String) throws(APIError) -> Set<String> {
        guard let left = authenticators.removeValue(forKey: id) else {
            throw WebDriverError.invalidSessionID.because("There is no session “\(id)”.")
        }
        return left
    }
}
