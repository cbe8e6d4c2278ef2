/// The phone that code under test finds without being told.
extension Phone {
    /// The phone of the running test; nil outside `use`.
    @TaskLocal public static var current: Phone?

    /// The app whose code runs.
    @TaskLocal static var currentApp = defaultApp

    /// Runs a test's body with this phone as ``current``, and then checks that each planned act was used.
    ///
    /// Code that makes its own `LAContext`, as Apple's documents show it, then runs on this phone. Work on a queue of
    /// Dispatch does not inherit the phone; work in tasks, except for detached ones, does.
    ///
    /// - Throws: the body's error, or the one of ``checkActs()``.
    public func use<Value>(app: String = defaultApp, _ body: () throws -> Value) throws -> Value {
        let value = try Self.$current.withValue(self) { try Self.$currentApp.withValue(app, operation: body) }
        try checkActs()
        return value
    }

    /// Runs an asynchronous body with this phone as ``current``, and then checks that each planned act was used.
    ///
    /// - Throws: the body's error, or the one of ``checkActs()``.
    public func use<Value>(
        app: String = defaultApp, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        let value = try await Self.$current.withValue(self) {
            try await Self.$currentApp.withValue(app, operation: body)
        }
        try checkActs()
        return value
    }
}
