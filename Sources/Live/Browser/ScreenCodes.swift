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
                "zbarimg, which reads the QR code from the screen, was not found on PATH; install it (on Debian, apt install "
                    + "zbar-tools)")
        }
    }

    /// Calls an act with the texts of the codes that appear, each once, until the task is cancelled.
    ///
    /// - Throws: ``BrowserError`` when the screen cannot be read.
    static func watch(_ act: (String) -> Void) async throws(BrowserError) {
        var seen: Set<String> = []
        while !Task.isCancelled {
            for text in try await texts() where seen.insert(text).inserted { act(text) }
            try? await Task.sleep(for: pause)
        }
    }

    /// The exit status of the program for a screen without a code.
    private static let noCode: Int32 = 4

    /// The texts of the codes on the screen now.
    private static func texts() async throws(BrowserError) -> [String] {
        let read = try? await run(
            .name(program), arguments: ["--raw", "--quiet", "--nodbus", "x:root"], output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 12))
        guard !Task.isCancelled else { return [] }
        guard let read, case .exited(let status) = read.terminationStatus, [0, noCode].contains(status) else {
            throw BrowserError(
                "\(program) cannot read the screen, so that the phone scans no QR code: "
                    + "\((read?.standardError ?? "it does not start").trimmingCharacters(in: .whitespacesAndNewlines)); "
                    + "use an X display, such as that of xvfb-run")
        }
        return read.standardOutput.split(separator: "\n").map(String.init)
    }
}
