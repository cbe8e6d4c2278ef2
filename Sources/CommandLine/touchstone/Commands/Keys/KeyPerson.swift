import CTAP
import Foundation
import Synchronization

/// The person with the key: told what to do now, asked before anything is lost.
final class KeyPerson: Sendable {
    private struct State {
        var wait: Task<Void, Never>?
        var isWaiting = false
    }

    /// What the key is called in questions.
    let key: String
    /// What the key is waiting for.
    private let act = Mutex("Touch the key")
    /// How long keys usually wait (CTAP 2.3 §6.1.2: the platform's choice, 30 s at most makers).
    private let patience = 30
    private let state = Mutex(State())

    init(key: String) {
        self.key = key
    }

    /// What to say from now on when the key waits.
    func expects(_ text: String) {
        act.withLock { $0 = text }
    }

    /// The key says what it is doing.
    @Sendable func keepalive(_ status: KeepaliveStatus) {
        state.withLock { state in
            switch status {
            case .userPresenceNeeded:
                guard !state.isWaiting else { return }
                state.isWaiting = true
                let text = act.withLock { $0 }
                guard isatty(STDERR_FILENO) == 1 else {
                    return Terminal.writeError("\(text) now (within \(patience) s).")
                }
                state.wait = Task { await countDown(text) }
            case .processing:
                state.isWaiting = false
                state.wait?.cancel()
            }
        }
    }

    /// The key has answered.
    func isDone() {
        keepalive(.processing)
    }

    /// Tells the time left, second by second, on one line.
    private func countDown(_ text: String) async {
        for left in stride(from: patience, through: 0, by: -1) {
            guard !Task.isCancelled else { break }
            Terminal.rewriteError("\(text) now: \(left) s left ")
            try? await Task.sleep(for: .seconds(1))
        }
        Terminal.rewriteError("")
    }

    /// Asks before something is lost.
    ///
    /// - Parameters:
    ///   - word: what has to be typed.
    ///   - flag: the option that stands for the answer where there is no terminal.
    /// - Throws: `CommandError` when the person does not want it, or cannot be asked.
    func confirm(_ question: String, word: String, flag: String = "--yes") throws {
        guard let answer = TerminalPrompt.ask("\(question)\nType \(word) to go on: ") else {
            throw CommandError("\(question) There is no terminal to ask on: \(flag) says that you want it.", .badInput)
        }
        guard answer.trimmingCharacters(in: .whitespaces) == word else {
            throw CommandError("nothing was changed", .badInput)
        }
    }
}
