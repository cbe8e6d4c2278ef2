internal import Synchronization

/// Lets steps side by side take turns: one of them runs at a time, and the next one goes on where a step is about to send
/// a request.
///
/// So the steps overlap, and in the same way in each run.
final class Turns: Sendable {
    /// A step among those that take turns.
    struct Lane: Sendable {
        let number: Int
        /// The name of its session with the relying party; nil for the current one.
        let session: String?
        fileprivate let turns: Turns

        /// Lets the other steps run until each of them sends a request or ends.
        func pass() async { await turns.pass(from: number) }
    }

    /// The step that the current task plays; nil for a step that is played alone.
    @TaskLocal static var lane: Lane?

    private struct State {
        var running = 0
        var playing: [Int]
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

        /// The turn goes to a step; returns the step's continuation if it waits already.
        mutating func give(to number: Int) -> CheckedContinuation<Void, Never>? {
            running = number
            return waiting.removeValue(forKey: number)
        }

        func next(after number: Int) -> Int? { playing.first { $0 > number } ?? playing.first }
    }

    private let state: Mutex<State>

    /// - Parameter count: the number of steps; the first one begins.
    init(count: Int) { state = Mutex(State(playing: Array(0..<count))) }

    /// Plays a step when its turn comes.
    func play<Result: Sendable>(_ number: Int, session: String?, _ step: @Sendable () async -> Result) async -> Result {
        await wait(number)
        let result = await Self.$lane.withValue(Lane(number: number, session: session, turns: self), operation: step)
        let next = state.withLock { state in
            state.playing.removeAll { $0 == number }
            return state.next(after: number).flatMap { state.give(to: $0) }
        }
        next?.resume()
        return result
    }

    private func wait(_ number: Int) async {
        await withCheckedContinuation { continuation in
            let hasTurn = state.withLock { state in
                guard state.running != number else { return true }
                state.waiting[number] = continuation
                return false
            }
            if hasTurn { continuation.resume() }
        }
    }

    private func pass(from number: Int) async {
        await withCheckedContinuation { continuation in
            let next = state.withLock { state in
                guard let next = state.next(after: number), next != number else {
                    return continuation as CheckedContinuation<Void, Never>?
                }
                state.waiting[number] = continuation
                return state.give(to: next)
            }
            next?.resume()
        }
    }
}
