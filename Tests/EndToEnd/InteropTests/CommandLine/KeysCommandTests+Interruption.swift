import Foundation
import TestSupport
import Testing

/// A signal while a command waits, or while it starts.
extension Interop.KeysCommandTests {
    /// Starts a command, sends it a signal after `isTime` returns, and returns its exit status.
    private func interrupted(
        _ bench: Bench, _ arguments: [String], by signal: Int32 = SIGINT,
        after isTime: (Touchstone.Program) async throws -> Void
    ) async throws -> Int32 {
        let program = try bench.touchstone.start(
            ["keys"] + arguments + ["--device", bench.device], environment: ["XDG_STATE_HOME": bench.directory.path]
        )
        try await isTime(program)
        kill(program.processID, signal)
        for await _ in program.output {}
        return await program.exitStatus()
    }

    /// Runs in real time, because the signal reaches a real process at a random moment of its start.
    @Test func anInterruptionEndsACommandAtAnyTime() async throws {
        try await withKey("security-key-pin", person: "ask") { bench in
            for milliseconds in [60, 120, 180, 240, 300, 400] {
                let status = try await interrupted(bench, ["register", "--account", "n\(milliseconds)"]) { _ in
                    try await Task.sleep(for: .milliseconds(milliseconds))
                }
                // Before the handler is installed, the signal ends the program.
                #expect([130, -1].contains(status), "\(milliseconds) ms")
            }
            _ = try await bench.touchstone.run("device", "fault", "silent on GetInfo")
            for route in Self.routes {
                let status = try await interrupted(bench, ["info", "--through", route]) { program in
                    while try Self.hasDefaultAction(SIGINT, program.processID) {
                        try await Task.sleep(for: .milliseconds(10))
                    }
                    try await Task.sleep(for: .milliseconds(500))
                }
                #expect(status == 130)
            }
        }
    }

    /// The signal arrives as soon as the process changes its default action.
    ///
    /// A listener that ignores the signal first would lose it, and the command would wait for a touch.
    @Test func anInterruptionIsNotLostWhileTheCommandBeginsToListen() async throws {
        try await withKey("security-key-pin", person: "ask") { bench in
            for number in 1...8 {
                // A shell's background jobs ignore SIGINT from the start; none ignores SIGTERM.
                let status = try await interrupted(
                    bench, ["register", "--account", "n\(number)"], by: SIGTERM
                ) { program in
                    while try Self.hasDefaultAction(SIGTERM, program.processID) {
                        try await Task.sleep(for: .microseconds(100))
                    }
                }
                #expect(status == 130, "start \(number)")
            }
        }
    }

    /// Whether the process neither ignores nor handles the signal, by Linux's /proc/PID/status.
    private static func hasDefaultAction(_ signal: Int32, _ processID: pid_t) throws -> Bool {
        let text = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
        let sets = text.split(separator: "\n").filter { $0.hasPrefix("SigIgn:") || $0.hasPrefix("SigCgt:") }
        return !sets.compactMap { UInt64($0.suffix(16), radix: 16) }.contains { $0 >> (signal - 1) & 1 == 1 }
    }
}
