import Dispatch
import Foundation
import Synchronization
import Tables

/// Questions on the terminal, even when standard input is another file.
///
/// Ctrl-C at a question ends the program: no request has been sent to a device yet, and unfinished input does not count as an answer.
enum TerminalPrompt {
    /// The exit status that shells give an interrupted program.
    static let interruptedStatus: Int32 = 130

    struct NoTerminal: Error {}

    /// Asks a question and returns the line typed; nil if the user ends the input (Ctrl-D).
    static func ask(_ question: String, isSecret: Bool = false) throws(NoTerminal) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw NoTerminal() }
        defer { close(terminal) }
        var usual = termios()
        guard tcgetattr(terminal, &usual) == 0 else { throw NoTerminal() }
        var quiet = usual
        if isSecret { quiet.c_lflag &= ~tcflag_t(ECHO) }
        let asked = OpenQuestion(
            terminal: terminal, text: TerminalText.escaped(question, keepsLines: true, keepsStyles: false),
            usual: usual, during: quiet)
        // A command that listens abandons the question itself, except at SIGQUIT.
        let ending = SignalListener.action(of: SIGINT) == .handled ? [SIGQUIT] : [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
        let listeners = [
            SignalListener(ending.filter { SignalListener.action(of: $0) != .ignored }, on: queue, onSignal: abandon),
            SignalListener([SIGCONT], on: queue, onSignal: repeatQuestion),
        ]
        begin(asked)
        defer {
            state.withLock { $0.question = nil }
            tcsetattr(terminal, TCSAFLUSH, &usual)
            for listener in listeners { listener.end() }
        }
        let line = readLine(from: terminal)
        if isSecret { write("\n", to: terminal) }
        return line
    }

    /// Restores the terminal and ends the program at an open question, or at the next one.
    static func abandon() {
        state.withLock { state in
            state.isAbandoned = true
            state.endIfAbandoned()
        }
    }

    private static func begin(_ question: OpenQuestion) {
        state.withLock { state in
            state.question = question
            // A signal before the question would otherwise wait for an answer.
            state.endIfAbandoned()
            question.show()
        }
    }

    /// Shows the question again after a shell has continued the program: the shell has changed the terminal.
    private static func repeatQuestion() { state.withLock { $0.question?.show() } }

    private struct OpenQuestion {
        let terminal: Int32
        let text: String
        let usual: termios
        let during: termios

        func show() {
            var during = during
            tcsetattr(terminal, TCSAFLUSH, &during)
            TerminalPrompt.write(text, to: terminal)
        }
    }

    private struct State {
        var question: OpenQuestion?
        var isAbandoned = false

        func endIfAbandoned() {
            guard isAbandoned, let question else { return }
            var usual = question.usual
            tcsetattr(question.terminal, TCSANOW, &usual)
            Terminal.writeError("")
            _exit(interruptedStatus)
        }
    }

    private static let state = Mutex(State())
    private static let queue = DispatchQueue(label: "touchstone.question")

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = Foundation.write(descriptor, bytes, bytes.count)
    }

    /// A line from the terminal; nil at its end.
    private static func readLine(from descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }
}
