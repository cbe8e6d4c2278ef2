import Radio
import Synchronization
import TestSupport

/// A time for radios that passes when the test says so.
final class Sleeper: Sendable {
    private struct State {
        var now = Duration.zero
        var waiting: [(until: Duration, continuation: CheckedContinuation<Void, Never>)] = []
        /// The callers that wait for a number of sleepers.
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// An environment with this time and repeatable random numbers.
    func environment(seed: UInt64 = 1) -> RadioEnvironment {
        RadioEnvironment(sleep: { try await self.sleep($0) }, generator: SeededGenerator(seed: seed))
    }

    private func sleep(_ duration: Duration) async throws {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.waiting.append((state.now + duration, continuation))
                let ready = state.watchers.filter { $0.count <= state.waiting.count }
                state.watchers.removeAll { $0.count <= state.waiting.count }
                return ready
            }
            for watcher in ready { watcher.continuation.resume() }
        }
        try Task.checkCancellation()
    }

    /// Returns when a number of tasks sleep.
    func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.waiting.count < count else { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Lets a time pass, and wakes the tasks whose time has come.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.waiting.filter { $0.until <= state.now }
            state.waiting.removeAll { $0.until <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}

extension AsyncStream {
    /// The first elements of the stream, a given number of them.
    func first(_ count: Int) async -> [Element] {
        var elements: [Element] = []
        guard count > 0 else { return [] }
        for await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}
