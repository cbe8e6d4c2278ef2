import Foundation
import TestSupport
import Testing

extension Interop {
    /// The pages of the first hour: their blocks, pasted one after the other into a shell.
    @Suite struct FirstHourTests {
        @Test(arguments: ["app", "keys", "conformance"])
        func theCommandsWork(page: String) async throws {
            let folder = try TemporaryFolder("hour")
            let touchstone = Touchstone(runtimeDirectory: folder.url.appending(path: "run"))
            let file = PackageRoot.url.appending(path: "docs/first-hour-\(page).md")
            var blocks = try String(contentsOf: file, encoding: .utf8)
                .matches(of: /```sh\n(.*?)```/.dotMatchesNewlines()).map { String($0.output.1) }
            #expect(blocks.count >= 4)
            // Ports that no other test uses.
            for port in ["8111", "8080"] {
                let free = try await Self.freePort(touchstone)
                blocks = blocks.map { block in
                    block.replacing(
                        "device start yubikey-5-nfc-5.7 --name",
                        with: "device start yubikey-5-nfc-5.7 --udp 8111 --name"
                    )
                    .replacing(port, with: "\(free)")
                }
            }
            let script =
                ([
                    "set -e", "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT", "mkdir bin",
                    "ln -s '\(touchstone.executable.path)' bin/touchstone",
                ] + blocks)
                .joined(separator: "\n")
            try script.write(toFile: folder.path("page.sh"), atomically: true, encoding: .utf8)
            let output = try await touchstone.run(
                shell: """
                    cd '\(folder.url.path)'
                    XDG_STATE_HOME=$PWD/state PATH=$PWD/bin:$PATH timeout 600 bash page.sh
                    """)
            #expect(output.status == 0, "\(output.standardError.suffix(2000)) \(output.standardOutput.suffix(2000))")
        }

        private static func freePort(_ touchstone: Touchstone) async throws -> Int {
            let line =
                "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); print(s.getsockname()[1])'"
            return try #require(Int(try await touchstone.run(shell: line).standardOutput))
        }
    }
}
