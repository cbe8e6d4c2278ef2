import CTAP
import Foundation
import Synchronization

/// The user with the key at this terminal, who is prompted to touch it.
final class KeyUser: Sendable {
    private struct State {
        var wait: Task<Void, Never>?
        var isWaiting = false
    }

    let key: String
    /// The options that name the key in a command, each after a space; empty where a command finds it by itself.
    let options: String
    /// The way to cut the key's power.
    let powerCycle: PowerCycle
    /// The reason for which no PIN could be entered.
    private let problem = Mutex<CommandError?>(nil)
    /// The prompt while the key waits.
    private let act = Mutex("Touch the key")
    /// The seconds most keys wait (CTAP 2.3 §6.1.2 leaves the time to the platform).
    private let timeLimit = 30
    private let state = Mutex(State())

    /// The way to cut a key's power.
    enum PowerCycle {
        /// A key that the user unplugs.
        case unplugging
        /// A device of `touchstone device start`, by its name.
        case device(String)
        /// A device of another simulator.
        case simulator
    }

    init(key: String, options: String = "", powerCycle: PowerCycle = .unplugging) {
        self.key = key
        self.options = options
        self.powerCycle = powerCycle
    }

    /// A command of `touchstone keys` on this key, in backticks.
    func command(_ words: String) -> String { "`touchstone keys \(words)\(options)`" }

    /// The reason for which no PIN could be entered; nil if one was entered, or if the user declined.
    var pinProblem: CommandError? { problem.withLock { $0 } }

    /// Remembers the reason for which no PIN could be entered.
    func cannotEnterPIN(_ error: CommandError) { problem.withLock { $0 = error } }

    /// Sets the prompt for the next time the key waits.
    func expects(_ text: String) { act.withLock { $0 = text } }

    @Sendable func keepalive(_ status: KeepaliveStatus) {
        state.withLock { state in
            switch status {
            case .userPresenceNeeded:
                guard !state.isWaiting else { return }
                state.isWaiting = true
                let text = act.withLock { $0 }
                guard isatty(STDERR_FILENO) == 1 else {
                    return Terminal.writeError("\(text) now (within \(timeLimit) s).")
                }
                state.wait = Task { await countDown(text) }
            case .processing:
                state.isWaiting = false
                state.wait?.cancel()
            }
        }
    }

    /// Ends the prompt: the key has answered.
    func isDone() { keepalive(.processing) }

    private func countDown(_ text: String) async {
        for left in stride(from: timeLimit, through: 0, by: -1) {
            guard !Task.isCancelled else { break }
            Terminal.rewriteError("\(text) now: \(left) s left ")
            try? await Task.sleep(for: .seconds(1))
        }
        Terminal.rewriteError("")
    }
}
