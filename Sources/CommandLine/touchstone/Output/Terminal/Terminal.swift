import Foundation
import Synchronization
import Tables

/// The program's output: results to standard output, everything else to standard error.
enum Terminal {
    /// Whether standard output is a terminal that shows colour (https://no-color.org).
    static let usesColour: Bool =
        isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// Whether standard error is a terminal that shows colour.
    static let usesColourForErrors: Bool =
        isatty(STDERR_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// The columns of standard output; nil when it is not a terminal, so that other programs get one line for each row.
    static let width = width(of: STDOUT_FILENO)

    /// The columns of help texts; one less, because the argument parser breaks a line that fills its width.
    static let helpWidth = (preferredWidth ?? measuredWidth(of: STDOUT_FILENO) ?? 80) - 1

    static func styled(_ text: String, _ style: TerminalText.Style) -> String {
        usesColour ? TerminalText.styled(text, style) : text
    }

    /// Writes lines to standard output at once, unbroken.
    static func write(_ text: String = "") { send(escaped(text), to: STDOUT_FILENO) }

    /// Text from outside without control characters; everything that is written goes through here.
    private static func escaped(_ text: String, keepsLines: Bool = true) -> String {
        TerminalText.escaped(text, keepsLines: keepsLines, keepsStyles: usesColour)
    }

    static func write(_ lines: [String]) { lines.forEach { write($0) } }

    static func write(_ table: TextTable) { write(table.lines) }

    /// Writes a paragraph to standard output, broken into lines that fit the terminal.
    ///
    /// - Parameter hanging: The indent of every line but the first.
    static func writeText(_ text: String, hanging: Int = 0) {
        // A line feed from outside would look like another paragraph.
        write(Paragraph.lines(escaped(text, keepsLines: false), width: width, hanging: hanging))
    }

    /// Writes a value as JSON with sorted keys, indented unless it must be one line.
    static func writeJSON(_ value: some Encodable, asOneLine: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !asOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        write(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Writes text to standard error, broken into lines that fit the terminal.
    static func writeError(_ text: String) {
        for line in Paragraph.lines(escaped(text), width: width(of: STDERR_FILENO)) { send(line, to: STDERR_FILENO) }
    }

    /// Writes the program's own lines to standard error, unbroken and with their colours.
    static func writeErrorPicture(_ lines: [String]) {
        for line in lines { send(line, to: STDERR_FILENO) }
    }

    static func warnOfSeed() { writeError("--seed makes every key predictable: use it for tests alone") }

    /// Replaces the line of the cursor on standard error; meant for terminals.
    static func rewriteError(_ text: String) {
        send("\r\u{1B}[K" + escaped(text, keepsLines: false), to: STDERR_FILENO, end: "")
    }

    private static func width(of descriptor: Int32) -> Int? {
        isatty(descriptor) == 1 ? preferredWidth ?? measuredWidth(of: descriptor) : nil
    }

    /// The width the environment asks for.
    private static let preferredWidth = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init).flatMap {
        $0 > 1 ? $0 : nil
    }

    private static func measuredWidth(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether the reader of standard output has gone, as after `| head`.
    private static let isAbandoned = Mutex(false)

    /// Output that has no reader is dropped, so that a command still ends with its own exit status.
    private static func send(_ line: String, to descriptor: Int32, end: String = "\n") {
        guard descriptor != STDOUT_FILENO || !isAbandoned.withLock(\.self) else { return }
        var bytes = Array((TerminalText.shown(line) + end).utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if count < 0, errno == EINTR || errno == EAGAIN {
                continue
            } else {
                let reason = errno
                guard descriptor == STDOUT_FILENO else { return }
                guard reason == EPIPE else {
                    Failure.exit(CommandError.unwritable("standard output", String(cString: strerror(reason))))
                }
                isAbandoned.withLock { $0 = true }
                Interruption.endServer()
                return
            }
        }
    }
}

extension TextTable {
    /// The lines for standard output, with bold headings where the terminal has them.
    var lines: [String] { lines(width: Terminal.width) { Terminal.styled($0, .bold) } }
}
