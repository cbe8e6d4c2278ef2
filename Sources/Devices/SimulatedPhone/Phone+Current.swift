/// The phone in use: code under test runs on it unless it is given another phone.
extension Phone {
    /// The phone in use; nil outside `use`.
    @TaskLocal public static var current: Phone?

    /// The app whose code runs.
    @TaskLocal static var currentApp = defaultApp

    /// Runs a test's body with this phone as ``current``, and then checks that each planned act had an effect.
    ///
    /// Code that creates its own `LAContext`, as in Apple's documents, then runs on this phone as the app `app`. Tasks
    /// inherit the phone, except for detached ones; work on a queue of Dispatch does not inherit it.
    ///
    /// AutoFill-assisted requests that still wait for the user end with it.
    ///
    /// - Throws: the body's error, or the error of ``checkActs()``.
    public func use<Value>(app: String = defaultApp, _ body: () throws -> Value) throws -> Value {
        defer { endUse(in: Self.current) }
        let value = try Self.$current.withValue(self) { try Self.$currentApp.withValue(app, operation: body) }
        try checkActs()
        return value
    }

    /// Runs an asynchronous body with this phone as ``current``, and then checks that each planned act had an effect.
    ///
    /// The code under test runs as the app `app`. AutoFill-assisted requests that still wait for the user end with it.
    ///
    /// - Throws: the body's error, or the error of ``checkActs()``.
    public func use<Value>(
        app: String = defaultApp, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        defer { endUse(in: Self.current) }
        let value = try await Self.$current.withValue(self) {
            try await Self.$currentApp.withValue(app, operation: body)
        }
        try checkActs()
        return value
    }

    /// Ends the requests that wait for the user, unless the body stands in another one of this phone: each holds the phone.
    private func endUse(in outer: Phone?) { if outer !== self { desk.forgetSuggestions() } }
}
