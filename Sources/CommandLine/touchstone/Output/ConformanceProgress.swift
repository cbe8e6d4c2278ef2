import Conformance
import Foundation
import Synchronization
import Wording

/// The progress of a run: one line on standard error that each verdict replaces, where it is a terminal.
final class ConformanceProgress: Sendable {
    private struct State {
        var done = 0
        var failed = 0
    }

    private static let hasTerminal = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    private let expected: Int
    private let state = Mutex(State())

    init(expected: Int) { self.expected = expected }

    func advance(_ result: CaseResult) {
        guard Self.hasTerminal else { return }
        let state = state.withLock { state in
            state.done += 1
            if result.verdict == .failed { state.failed += 1 }
            return state
        }
        let failed = state.failed == 0 ? "" : ", \(state.failed) failed"
        Terminal.rewriteError("\(state.done) of \(Wording.counted(expected, "case"))\(failed)")
    }

    /// Removes the line, so that another text can take its place.
    static func clear() {
        if hasTerminal { Terminal.rewriteError("") }
    }
}
