import Foundation
import TestSupport
import Testing

extension Interop {
    /// Questions on a terminal that `script` makes.
    @Suite struct TerminalQuestionTests {
        /// A command on a terminal of its own.
        private final class Dialogue {
            private let process = Process()
            private let (input, output) = (Pipe(), Pipe())
            private var text = ""

            /// - Parameter command: the arguments of the program, which the shell splits.
            init(_ command: String, environment: [String: String] = [:]) throws {
                let executable = Bundle.module.bundleURL.deletingLastPathComponent().appending(path: "touchstone")
                process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
                // A shell stays in between without exec, and `script` returns its status.
                process.arguments = ["-qec", "exec \(executable.path) \(command)", "/dev/null"]
                process.currentDirectoryURL = PackageRoot.url
                process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
                process.standardInput = input
                process.standardOutput = output
                try process.run()
            }

            deinit {
                if process.isRunning { process.terminate() }
            }

            /// Waits for words after those that were waited for before.
            func wait(for words: String) {
                while !text.contains(words), case let chunk = output.fileHandleForReading.availableData, !chunk.isEmpty
                {
                    text += String(decoding: chunk, as: UTF8.self)
                }
                #expect(text.contains(words), "\(text)")
                text = text.range(of: words).map { String(text[$0.upperBound...]) } ?? ""
            }

            func type(_ keys: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8)) }

            /// Waits for the end of the command and returns its exit status.
            func end() -> Int32 {
                while !output.fileHandleForReading.availableData.isEmpty {}
                process.waitUntilExit()
                return process.terminationStatus
            }
        }

        @Test(arguments: [("\u{03}", 130), ("\u{1C}", 130), ("\u{04}", 1), ("no\n", 1), ("reset\n", 0)])
        func aConfirmationEndsWithTheAnswer(answer: String, status: Int32) throws {
            let dialogue = try Dialogue("keys reset --device virtual:security-key-pin")
            dialogue.wait(for: "Type reset to continue: ")
            try dialogue.type(answer)
            #expect(dialogue.end() == status)
        }

        @Test func aDeviceWhosePassphraseWasTypedEndsInOrder() throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: directory) }
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let state = directory.appending(path: "key.state")
            let dialogue = try Dialogue(
                "device start security-key-pin --udp 0 --state \(state.path) --ask-passphrase",
                environment: ["XDG_RUNTIME_DIR": directory.path])
            for _ in 1...2 {
                dialogue.wait(for: ": ")
                try dialogue.type("a passphrase\n")
            }
            dialogue.wait(for: "Ctrl-C ends it")
            try dialogue.type("\u{03}")
            #expect(dialogue.end() == 0)
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(files.contains("key.state") && !files.contains("key.state-wal"), "\(files)")
        }
    }
}
