import Foundation
import Synchronization
import Wording

/// The progress of a run: one line on standard error that each result replaces, where it is a terminal.
final class RunProgress: Sendable {
    private struct State {
        var done = 0
        var failed = 0
    }

    private static let hasTerminal = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    private let noun: String
    private let expected: Int
    private let state = Mutex(State())

    /// - Parameter noun: one part of the run, such as a case.
    init(_ noun: String, expected: Int) {
        self.noun = noun
        self.expected = expected
    }

    func advance(hasFailed: Bool) {
        guard Self.hasTerminal else { return }
        let state = state.withLock { state in
            state.done += 1
            if hasFailed { state.failed += 1 }
            return state
        }
        // The summary follows the last one.
        guard state.done < expected else { return Self.clear() }
        let failed = state.failed == 0 ? "" : ", \(state.failed) failed"
        Terminal.rewriteError("\(state.done) of \(Wording.counted(expected, noun))\(failed)")
    }

    /// Removes the line, so that another text can take its place.
    static func clear() {
        if hasTerminal { Terminal.rewriteError("") }
    }
}
