import Dispatch
import Foundation

/// Questions on the terminal, whatever standard input is.
///
/// While one is open, Ctrl-C ends the program: nothing has been asked of a device yet, and what was typed must not be
/// taken for an answer.
enum TerminalPrompt {
    /// The exit status of a program that was interrupted, as shells give it.
    static let interruptedStatus: Int32 = 130

    /// Asks, and returns the line that is typed; nil when there is no terminal.
    ///
    /// - Parameter isSecret: whether what is typed stays invisible.
    static func ask(_ question: String, isSecret: Bool = false) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return nil }
        let usual = before
        let interruptions = [SIGINT, SIGTERM].map { number in
            let former = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                var usual = usual
                tcsetattr(terminal, TCSANOW, &usual)
                Terminal.writeError("")
                _exit(interruptedStatus)
            }
            source.resume()
            return (number, former, source)
        }
        var quiet = usual
        if isSecret { quiet.c_lflag &= ~tcflag_t(ECHO) }
        tcsetattr(terminal, TCSAFLUSH, &quiet)
        defer {
            tcsetattr(terminal, TCSAFLUSH, &before)
            for (number, former, source) in interruptions {
                source.cancel()
                signal(number, former)
            }
        }
        write(question, to: terminal)
        let line = readLine(from: terminal)
        if isSecret { write("\n", to: terminal) }
        return line
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = Foundation.write(descriptor, bytes, bytes.count)
    }

    /// A line as the terminal hands it over; nil at its end.
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
