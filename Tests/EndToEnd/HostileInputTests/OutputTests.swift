import Foundation
import TestSupport
import Testing

extension Hostile {
    /// Options that name a file to write.
    struct OutputTests {
        /// The commands that write a file, each with the kind of its file.
        private static let writers: [(arguments: [String], kind: String)] = [
            (["scenario", "run", "airplane-mode", "--junit", "FILE"], "a JUnit report"),
            (["scenario", "run", "airplane-mode", "--trace", "FILE"], "a trace"),
            (["control", "--port", "0", "--token-file", "FILE"], "a token"),
        ]

        /// Runs each writer on a file, and expects its refusal.
        private func refusals(
            _ touchstone: Touchstone, of file: String, _ reason: (String) -> String
        ) async throws {
            for (arguments, kind) in Self.writers {
                let output = try await touchstone.run(arguments.map { $0 == "FILE" ? file : $0 })
                #expect(output.status == 2, "\(arguments): \(output.standardError)")
                #expect(output.standardError.contains("\(file) cannot be written: \(reason(kind))"), "\(arguments)")
            }
        }

        @Test("A file of another kind is refused and unchanged")
        func otherKind() async throws {
            try await Hostile.run { touchstone, folder in
                let file = folder.appending(path: "thesis.txt")
                try Data("# My thesis\n".utf8).write(to: file)
                try await refusals(touchstone, of: file.path) { "it exists and is not \($0)" }
                #expect(try Data(contentsOf: file) == Data("# My thesis\n".utf8))
            }
        }

        @Test("A device, a pipe and a link stay unchanged")
        func specialFiles() async throws {
            try await Hostile.run { touchstone, folder in
                let pipe = folder.appending(path: "pipe").path
                #expect(mkfifo(pipe, 0o600) == 0)
                try await refusals(touchstone, of: pipe) { _ in "it is not a regular file" }
                try await refusals(touchstone, of: "/dev/null") { _ in "it is not a regular file" }
                let link = folder.appending(path: "link").path
                try FileManager.default.createSymbolicLink(
                    atPath: link, withDestinationPath: folder.appending(path: "target").path)
                try await refusals(touchstone, of: link) { _ in "it is a symbolic link" }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["link", "pipe"])
            }
        }

        /// The umask of this process, which the program inherits (proc_pid_status(5)).
        private static func umask() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            return try #require(status.firstMatch(of: /Umask:\s*([0-7]+)/).flatMap { Int($0.output.1, radix: 8) })
        }

        @Test("A report has the mode of the umask, a trace is private, and both are replaced")
        func replaced() async throws {
            try await Hostile.run { touchstone, folder in
                let file = folder.appending(path: "report.xml").path
                for _ in 0..<2 {
                    let output = try await touchstone.run(
                        "scenario", "run", "airplane-mode", "--junit", file, "--trace", file + "l")
                    #expect(output.status == 0, "\(output.standardError)")
                    for (name, expected) in [(file, 0o666 & ~(try Self.umask())), (file + "l", 0o600)] {
                        let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
                        #expect(mode == expected)
                    }
                }
                #expect(try String(contentsOfFile: file, encoding: .utf8).contains("<testsuites"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
            }
        }

        @Test("A database for accounts replaces nothing else, and only its owner can read it")
        func database() async throws {
            try await Hostile.run { touchstone, folder in
                let thesis = folder.appending(path: "thesis.txt").path
                try Data("# My thesis\n".utf8).write(to: URL(filePath: thesis))
                // A database of SQLite, but of another program.
                let state = folder.appending(path: "key.state").path
                let device = try touchstone.start(
                    ["device", "start", "security-key-pin", "--udp", "0", "--state", state])
                for await line in device.errors where line.contains("listening on") { break }
                device.terminate()
                #expect(await device.exitStatus() == 0)
                for foreign in [thesis, state] {
                    #expect(chmod(foreign, 0o644) == 0)
                    let before = try Data(contentsOf: URL(filePath: foreign))
                    let refused = try await touchstone.run("serve", "--port", "0", "--database", foreign)
                    #expect(refused.status == 2)
                    #expect(refused.standardError.contains("\(foreign) cannot be used: it exists and is not"))
                    #expect(try Data(contentsOf: URL(filePath: foreign)) == before)
                    let attributes = try FileManager.default.attributesOfItem(atPath: foreign)
                    #expect(attributes[.posixPermissions] as? Int == 0o644)
                }
                let file = folder.appending(path: "accounts.sqlite").path
                for _ in 0..<2 {
                    let (server, _) = try await Hostile.server(touchstone, ["serve", "--database", file])
                    for end in ["", "-wal", "-shm"] {
                        let attributes = try FileManager.default.attributesOfItem(atPath: file + end)
                        #expect(attributes[.posixPermissions] as? Int == 0o600)
                    }
                    server.terminate()
                    #expect(await server.exitStatus() == 0)
                    for end in ["-wal", "-shm"] { #expect(!FileManager.default.fileExists(atPath: file + end)) }
                    // The next run takes back the rights of others.
                    #expect(chmod(file, 0o644) == 0)
                }
            }
        }
    }
}
