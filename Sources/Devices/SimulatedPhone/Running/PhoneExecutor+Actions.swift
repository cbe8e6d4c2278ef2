/// Actions of a test while a prompt is open.
extension PhoneExecutor {
    /// Runs an action, and returns its error.
    ///
    /// A synchronous call on the main queue keeps the main actor busy. An action that then waits for work outside the phone
    /// would wait for ever; it ends with ``BlockedAction`` and goes on after the call.
    func perform(_ action: @escaping @Sendable () async throws -> Void) async -> (any Error)? {
        guard let call = Self.blockingCall else {
            return await Task(executorPreference: self) { await Self.error(of: action) }.value
        }
        return await withCheckedContinuation { continuation in
            setAction(continuation, of: call)
            // The action may end the prompt, which cancels the prompt's task.
            Task(executorPreference: self) {
                let error = await Self.error(of: action)
                self.takeAction(of: call)?.resume(returning: error)
            }
        }
    }

    private static func error(of action: @Sendable () async throws -> Void) async -> (any Error)? {
        do {
            try await action()
            return nil
        } catch {
            return error
        }
    }
}

/// An action that waits for work outside the phone while a synchronous call keeps the main actor busy.
struct BlockedAction: Error, CustomStringConvertible {
    var description: String {
        "the action waits for work outside the phone, and the app's synchronous call keeps the main actor busy; make "
            + "the call off the main actor, or plan an action that only acts on the phone"
    }
}
