import DeviceHost
import Foundation
import TestSupport
import Testing

/// Other programs as clients of the `touchstone` executable.
@Suite(.serialized) struct ForeignClientTests {
    /// The program did not say where it listens.
    struct Unexpected: Error { let line: String? }

    private static let scripts = Bundle.module.bundleURL.appending(path: "Scripts")

    /// Starts `touchstone control` for as long as `use` runs, and hands out its port and token.
    private func withControl(
        _ arguments: [String] = [],
        use: (_ port: Int, _ token: String, _ touchstone: Touchstone) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder("control")
        let tokenFile = folder.url.appending(path: "token")
        let touchstone = Touchstone(beside: .module, runtimeDirectory: folder.url)
        let program = try touchstone.start(
            ["control", "--port", "0", "--token-file", tokenFile.path] + arguments)
        // Whatever happens below, nothing is left running.
        defer { program.terminate() }
        var first: String?
        for await line in program.errors where !line.hasPrefix("--seed") {
            first = line
            break
        }
        // A token that is in a file is not printed.
        guard let match = first?.firstMatch(of: /on http:\/\/127\.0\.0\.1:(\d+);/), let port = Int(match.1)
        else { throw Unexpected(line: first) }
        let mode = try FileManager.default.attributesOfItem(atPath: tokenFile.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let text = try String(contentsOf: tokenFile, encoding: .utf8)
        let token = try #require(text.wholeMatch(of: /([A-Za-z0-9_-]{43})\n/)).output.1
        try await use(port, String(token), touchstone)
        program.terminate()
        #expect(await program.exitStatus() == 0)
    }

    @Test("Unmodified Selenium adds authenticators and credentials, and sees the effects of a ceremony")
    func selenium() async throws {
        try await withControl { port, token, _ in
            _ = try await Script.run(
                "selenium_session", in: [Self.scripts], ["port": .number(port), "token": .text(token)],
                as: Script.Done.self)
        }
    }

    @Test("A client makes a hundred ceremonies over one connection")
    func keptConnection() async throws {
        try await withControl(["--device", "iphone-face-id:phone"]) { port, token, _ in
            _ = try await Script.run(
                "kept_connection", in: [Self.scripts], ["port": .number(port), "token": .text(token)],
                as: Script.Done.self)
        }
    }

    @Test("Schemathesis finds no answer that contradicts the OpenAPI document")
    func schemathesis() async throws {
        struct Summary: Decodable { let cases: Int, operations: Int }
        let arguments = [
            "--device", "iphone-face-id:phone", "--device", "security-key-bio:key", "--simulated-clock", "--seed", "1",
        ]
        try await withControl(arguments) { port, token, _ in
            let summary = try await Script.run(
                "schemathesis_run", in: [Self.scripts], ["port": .number(port), "token": .text(token)],
                as: Summary.self)
            #expect(summary.cases >= 300)
            #expect(summary.operations >= 35)
        }
    }

    @Test("The device commands reach devices of the control API by name")
    func theCommandLine() async throws {
        try await withControl(["--device", "iphone-face-id:phone"]) { _, _, touchstone in
            let told = try await touchstone.run("device", "present", "no-match", "--name", "phone", "--json")
            #expect(told.status == 0)
            let status = try JSONDecoder().decode(DeviceStatus.self, from: Data(told.standardOutput.utf8))
            #expect(status.planned == ["no-match"])
        }
    }

    @Test(
        "A server that cannot start prints an error",
        arguments: [
            (["--token", "short"], 2), (["--allow-origin", "*"], 2), (["--device", "nokia-3310"], 2),
            (["--device", "solo-1:a/b"], 2), (["--device", "solo-1", "--device", "solo-1:solo-1"], 3),
            (["--token-file", "/nowhere/token"], 2), (["--port", "99999"], 2),
        ] as [([String], Int32)])
    func failedStartPrintsError(arguments: [String], status: Int32) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "control-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: directory) }
        let output = try await Touchstone(beside: .module, runtimeDirectory: directory).run(
            ["control", "--port", "0"] + arguments)
        #expect(output.status == status)
        #expect(!output.standardError.isEmpty)
    }

    /// The code blocks of the documentation in one language.
    private static func examples(_ language: String, port: Int) throws -> String {
        let text = try String(contentsOf: PackageRoot.url.appending(path: "docs/control-api.md"), encoding: .utf8)
        var blocks: [Substring] = []
        for part in text.split(separator: "```\(language)\n").dropFirst() {
            blocks += part.split(separator: "```", maxSplits: 1).prefix(1)
        }
        return blocks.joined(separator: "\n").replacing("127.0.0.1:8470", with: "127.0.0.1:\(port)")
    }

    @Test("The documentation's examples work as written")
    func documentedExamplesWork() async throws {
        try await withControl(["--device", "iphone-face-id:phone", "--simulated-clock"]) { port, _, touchstone in
            let directory = touchstone.runtimeDirectory
            let start = """
                set -eu
                cd "$1"
                # Only the stream does not end on its own.
                curl() {
                    case "$1" in
                    -sN) command curl --fail-with-body --max-time 2 "$@" || [ $? = 28 ] ;;
                    *) command curl --fail-with-body --max-time 20 "$@" && echo ;;
                    esac
                }

                """
            let script = directory.appending(path: "examples.sh")
            try Data((start + Self.examples("sh", port: port)).utf8).write(to: script)
            let shell = """
                import subprocess, sys
                done = subprocess.run(["bash", sys.argv[1], sys.argv[2]], capture_output=True, text=True)
                print(done.stdout, done.stderr, file=sys.stderr)
                print(done.stdout)
                sys.exit(done.returncode)
                """
            let output = try await Python.run(script: shell, arguments: [script.path, directory.path])
            #expect(output.standardOutput.contains("\"attestationObject\""))
            #expect(output.standardOutput.contains("clientPIN.builtInUV.userCancelled"))
            #expect(output.standardOutput.contains("data: {\"device\":\"phone\""))
            let python = try Self.examples("python", port: port)
            _ = try await Python.run(
                script: "import os, sys\nos.chdir(sys.argv[1])\n" + python, arguments: [directory.path])
        }
    }
}
