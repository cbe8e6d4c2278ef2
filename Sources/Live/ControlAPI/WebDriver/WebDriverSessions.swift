internal import LoopbackHTTP

/// The sessions of WebDriver clients, each with its virtual authenticators: devices of the fleet, by name.
actor WebDriverSessions {
    private static let capacity = 100

    private var authenticators: [String: Set<String>] = [:]

    func open(_ id: String) throws(APIError) {
        guard authenticators.count < Self.capacity else {
            throw WebDriverError.sessionNotCreated.because(
                "The server has \(Self.capacity) sessions, its maximum; delete one first.")
        }
        authenticators[id] = []
    }

    func require(_ id: String) throws(APIError) {
        guard authenticators[id] != nil else {
            throw WebDriverError.invalidSessionID.because("No session has the ID “\(id)”.")
        }
    }

    /// Adds an authenticator to a session; returns whether the session still exists.
    func add(_ authenticator: String, to session: String) -> Bool {
        authenticators[session]?.insert(authenticator) != nil
    }

    func require(_ authenticator: String, of session: String) throws(APIError) {
        try require(session)
        guard authenticators[session]?.contains(authenticator) == true else {
            throw WebDriverError.invalidArgument.because("The session has no virtual authenticator “\(authenticator)”.")
        }
    }

    func remove(_ authenticator: String, of session: String) { authenticators[session]?.remove(authenticator) }

    /// Ends a session and returns its authenticators.
    func close(_ id: String) throws(APIError) -> Set<String> {
        guard let left = authenticators.removeValue(forKey: id) else {
            throw WebDriverError.invalidSessionID.because("No session has the ID “\(id)”.")
        }
        return left
    }
}
