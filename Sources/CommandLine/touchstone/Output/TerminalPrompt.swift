import Dispatch
import Foundation
import Synchronization
import Tables

/// Questions on the terminal, even when standard input is another file.
///
/// Ctrl-C at a question ends the program: no request has been sent to a device yet, and unfinished input is no answer.
enum TerminalPrompt {
    /// The exit status that shells give an interrupted program.
    static let interruptedStatus: Int32 = 130

    /// Asks a question and returns the line typed; nil without a terminal.
    ///
    /// - Parameter isSecret: Whether the input stays invisible.
    static func ask(_ question: String, isSecret: Bool = false) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return nil }
        let usual = before
        openQuestion.withLock { $0 = OpenQuestion(terminal: terminal, usual: usual) }
        // Signals without a handler get one while the question is open.
        let listener =
            isListenedTo(SIGINT)
            ? nil : SignalListener([SIGINT, SIGTERM, SIGHUP], on: .global(), onSignal: abandonIfOpen)
        var quiet = usual
        if isSecret { quiet.c_lflag &= ~tcflag_t(ECHO) }
        tcsetattr(terminal, TCSAFLUSH, &quiet)
        defer {
            tcsetattr(terminal, TCSAFLUSH, &before)
            openQuestion.withLock { $0 = nil }
            listener?.end()
        }
        write(TerminalText.escaped(question, keepsLines: true, keepsStyles: false), to: terminal)
        let line = readLine(from: terminal)
        if isSecret { write("\n", to: terminal) }
        return line
    }

    /// Restores the terminal and ends the program if a question is open.
    static func abandonIfOpen() {
        openQuestion.withLock { question in
            guard let question else { return }
            var usual = question.usual
            tcsetattr(question.terminal, TCSANOW, &usual)
            Terminal.writeError("")
            _exit(interruptedStatus)
        }
    }

    private struct OpenQuestion {
        let terminal: Int32
        let usual: termios
    }

    private static let openQuestion = Mutex<OpenQuestion?>(nil)

    private static func isListenedTo(_ number: Int32) -> Bool {
        var action = sigaction()
        // A default action is a null pointer.
        return sigaction(number, nil, &action) == 0 && action.__sigaction_handler.sa_handler != nil
    }

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
