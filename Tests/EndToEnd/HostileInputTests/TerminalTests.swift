import Dispatch
import Foundation
import TestSupport
import Testing

extension Hostile {
    /// Text of strangers on its way to the terminal.
    struct TerminalTests {
        /// A title that changes the window's and types a command, as a YAML escape, a JSON escape and a command line get it.
        private static let sequence = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m"

        private func expectHarmless(_ output: Touchstone.Output, _ comment: Comment) {
            for scalar in (output.standardOutput + output.standardError).unicodeScalars {
                #expect(scalar == "\n" || scalar.properties.generalCategory != .control, comment)
            }
            #expect((output.standardOutput + output.standardError).contains("\\u001B]0;owned\\u0007"), comment)
        }

        @Test("Keys, names and texts of files are shown without their control characters")
        func files() async throws {
            try await Hostile.run { touchstone, folder in
                let file = folder.appending(path: "x.yaml")
                let escaped = #"\e]0;owned\a\e[2J\x9B31m"#
                let texts = ["\"\(escaped)\": 1\n", "name: x\nplatform: \"\(escaped)\"\n", "name: [\"\(escaped)\"]\n"]
                for text in texts {
                    try Data(text.utf8).write(to: file)
                    for command in ["profiles", "scenario"] {
                        let output = try await touchstone.run(command, "validate", file.path)
                        #expect(output.status == 2)
                        let all = (output.standardOutput + output.standardError).unicodeScalars
                        #expect(!all.contains { $0 != "\n" && $0.properties.generalCategory == .control })
                        if text.hasPrefix("\"") { expectHarmless(output, "\(command)") }
                    }
                }
                let unknown = try await touchstone.run("profiles", "show", Self.sequence)
                expectHarmless(unknown, "an unknown name")
            }
        }

        @Test("The answer of a control socket is shown without its control characters")
        func socket() async throws {
            try await Hostile.run { touchstone, _ in
                let directory = touchstone.runtimeDirectory
                try FileManager.default.createDirectory(
                    at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                let answer =
                    try JSONSerialization.data(withJSONObject: ["error": "no \(Self.sequence)"]) + Data("\n".utf8)
                let listener = try Self.listen(directory.appending(path: "evil.sock").path)
                let server = Task.detached { Self.answer(listener, Array(answer)) }
                let output = try await touchstone.run("device", "status", "--name", "evil")
                shutdown(listener, Int32(SHUT_RDWR))
                close(listener)
                await server.value
                #expect(output.status != 0)
                expectHarmless(output, "a control socket")
            }
        }

        private static func listen(_ path: String) throws -> Int32 {
            let listener = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
            let length = socklen_t(MemoryLayout<sockaddr_un>.size)
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
            }
            guard status == 0, Foundation.listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
            return listener
        }

        private static func answer(_ listener: Int32, _ bytes: [UInt8]) {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                var request = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &request, request.count, 0)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
        }

        @Test("A folder of sockets that others can enter serves neither clients nor devices")
        func openFolder() async throws {
            try await Hostile.run { touchstone, folder in
                try FileManager.default.createDirectory(
                    at: touchstone.runtimeDirectory, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o777])
                chmod(touchstone.runtimeDirectory.path, 0o777)
                for command in [["device", "status"], ["device", "start", "security-key-pin", "--udp", "0"]] {
                    let output = try await touchstone.run(command)
                    #expect(output.status == 3, "\(command)")
                    #expect(output.standardError.contains("other users can enter it; `chmod 700` it"), "\(command)")
                }
            }
        }
    }
}
