internal import Foundation
internal import Subprocess

/// The QR codes on the screen of an X display, read by `zbarimg`.
struct ScreenCodes: Sendable {
    /// The program of Debian's package zbar-tools.
    private static let program = "zbarimg"
    /// The time between two looks at the screen.
    private static let pause = Duration.milliseconds(200)

    /// Checks that the program is installed.
    ///
    /// - Throws: ``BrowserError`` otherwise.
    static func requireProgram() throws(BrowserError) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        guard folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }) else {
            throw BrowserError(
                "zbarimg was not found on PATH, which reads the QR code from the screen; install it (on Debian, apt install "
                    + "zbar-tools)")
        }
    }

    /// Calls an act with the texts of the codes that appear, each once, until the task is cancelled.
    static func watch(_ act: (String) -> Void) async {
        var seen: Set<String> = []
        while !Task.isCancelled {
            for text in await texts() where seen.insert(text).inserted { act(text) }
            try? await Task.sleep(for: pause)
        }
    }

    /// The texts of the codes on the screen now; none where it cannot be read.
    private static func texts() async -> [String] {
        let read = try? await run(
            .name(program), arguments: ["--raw", "--quiet", "--nodbus", "x:root"], output: .string(limit: 1 << 16),
            error: .discarded)
        return (read?.standardOutput ?? "").split(separator: "\n").map(String.init)
    }
}
