/// Actions of a test while a prompt is open.
extension PhoneExecutor {
    /// Runs an action, and returns its error.
    ///
    /// A synchronous call keeps its actor busy. An action that then waits for this actor would wait for ever; it ends with
    /// ``BlockedAction`` and goes on after the call.
    func perform(_ action: @escaping @Sendable () async throws -> Void) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            let number = note(continuation)
            // The action may end the prompt, which cancels the prompt's task.
            Task(executorPreference: self) {
                let error = await Self.error(of: action)
                self.takeAction(number)?.resume(returning: error)
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

/// An action that waits for work outside the phone while a synchronous call keeps an actor busy.
struct BlockedAction: Error, CustomStringConvertible {
    let isOnMainQueue: Bool

    var description: String {
        let actor = isOnMainQueue ? "the main actor" : "its actor"
        return
            "the action waits for work outside the phone, and a synchronous call keeps \(actor) busy; make the call on "
            + "another actor than the one that the action waits for, or plan an action that only acts on the phone"
    }
}
