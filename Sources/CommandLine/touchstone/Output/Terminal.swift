import Foundation

/// What the program writes: results to standard output, the rest to standard error.
enum Terminal {
    /// Whether standard output is a terminal that wants colour (https://no-color.org).
    static let usesColour: Bool =
        isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    /// Text in a style, where the terminal has it.
    static func styled(_ text: String, _ style: Style) -> String {
        usesColour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Writes a line to standard output at once, so that a pipe sees it when it happens.
    static func write(_ line: String = "") {
        send(line, to: STDOUT_FILENO)
    }

    /// Writes a line to standard error.
    static func writeError(_ line: String) {
        send(line, to: STDERR_FILENO)
    }

    /// Replaces the line the cursor is on, on standard error; meant for terminals.
    static func rewriteError(_ text: String) {
        send("\r\u{1B}[K" + text, to: STDERR_FILENO, end: "")
    }

    /// Writes a whole line, or ends quietly when nobody reads any more, as `| head` does.
    private static func send(_ line: String, to descriptor: Int32, end: String = "\n") {
        var bytes = Array((line + end).utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if count < 0, errno == EINTR || errno == EAGAIN {
                continue
            } else {
                let reason = errno
                if descriptor == STDOUT_FILENO, reason == EPIPE { _exit(0) }
                if descriptor == STDOUT_FILENO {
                    writeError("touchstone: standard output cannot be written: \(String(cString: strerror(reason)))")
                }
                _exit(Failure.Status.notThere.rawValue)
            }
        }
    }

    /// Writes a value as indented JSON with sorted keys.
    static func writeJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        write(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
