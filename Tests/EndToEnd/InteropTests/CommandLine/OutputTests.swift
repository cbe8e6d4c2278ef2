import Foundation
import TestSupport
import Testing

extension Interop {
    /// Standard output that cannot be written.
    struct OutputTests {
        private let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
        private let directory = FileManager.default.temporaryDirectory.appending(
            path: "touchstone-\(UUID().uuidString)")

        /// Runs a scenario that fails, with an option and a redirection of the shell.
        private func runFailing(_ redirection: String, _ options: String = "") throws -> Int32 {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let scenario = """
                name: fails
                devices: { key: security-key-pin }
                steps:
                  - create-account: ada
                  - register: { expect: { http: 200 } }

                """
            let file = directory.appending(path: "fails.yaml")
            try Data(scenario.utf8).write(to: file)
            let process = Process()
            process.executableURL = URL(filePath: "/bin/bash")
            process.currentDirectoryURL = PackageRoot.url
            let command = "'\(touchstone.executable.path)' scenario run '\(file.path)' \(options) \(redirection)"
            process.arguments = ["-o", "pipefail", "-c", command]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }

        @Test(
            "Errors of the argument parser have the form of the program's own",
            arguments: [
                (["device", "start"], "touchstone: missing expected argument '<profile>'"),
                (
                    ["device", "start", "x", "--nmae", "y"],
                    "touchstone: unknown option '--nmae'. Did you mean '--name'?"
                ),
                (
                    ["statistics", "iphone-face-id", "--attempts", "0"],
                    "touchstone: --attempts must be 1 to 1000000000"
                ),
                (["devise"], "touchstone: `touchstone` has no command \"devise\"; did you mean device?"),
                (
                    ["profiles", "show", "iphone-face"],
                    "touchstone: profiles: unknown profile \"iphone-face\"; did you mean"
                ),
            ])
        func errorsHaveOneVoice(arguments: [String], begins: String) async throws {
            let output = try await touchstone.run(arguments)
            #expect(output.status == 2)
            let first = output.standardError.split(separator: "\n").first ?? ""
            #expect(first.hasPrefix(begins), "\(first)")
            #expect(!first.hasSuffix("."))
        }

        @Test(
            "An option without effect is refused with the one that it needs",
            arguments: [
                (["control", "--port", "0", "--simulated-clock"], "--simulated-clock needs --device"),
                (["serve", "--port", "0", "--failing-status", "500"], "--failing-status needs --failing-requests"),
                (["device", "start", "solo-2", "--nfc-port", "1"], "--nfc-port needs --nfc"),
                (["device", "start", "solo-2", "--usb", "--address", "::1"], "--address needs --udp"),
                (["device", "start", "solo-2", "--durability", "normal"], "--durability needs --state"),
                (["device", "fault", "none", "--times", "2"], "--times has no effect with none"),
                (["keys", "compare", "usb", "nfc", "--seed", "1"], "--seed needs a virtual:PROFILE device"),
                (
                    ["conformance", "authenticator", "--device", "usb", "--seed", "1"],
                    "--seed needs a virtual:PROFILE device"
                ),
                (
                    ["conformance", "authenticator", "--device", "virtual:solo-2", "--replug", "true"],
                    "--replug needs a key on USB"
                ),
                (["conformance", "list", "--official", "--safe"], "remove the selection of cases"),
                (
                    ["conformance", "list", "--official", "--markdown", "--json"],
                    "--json has no effect with --markdown"
                ),
                (
                    ["scenario", "run", "tour", "--pin-file", "x"],
                    "--pin-file needs --device"
                ),
                (["scenario", "run", "tour", "--trace", "x", "--jobs", "2"], "remove --jobs"),
                (["scenario", "run", "tour", "--json", "--verbose"], "--verbose has no effect with --json"),
                (["scenario", "run", "tour", "--json", "--github"], "--github has no effect with --json"),
                (
                    ["scenario", "run", "user-cancel", "--pairwise"],
                    "--pairwise needs a scenario with a matrix of three"
                ),
                (
                    ["scenario", "run", "tour", "--requirements", "x", "--title", "y"],
                    "--requirements and --title need --html"
                ),
                (
                    ["scenario", "run", "user-cancel", "--device", "key=virtual:no-such-key"],
                    "=virtual:no-such-key: profiles: unknown profile"
                ),
                (
                    ["conformance", "authenticator", "--device", "virtual:solo-2", "--json", "-v"],
                    "--verbose has no effect with --json"
                ),
                (["conformance", "authenticator", "--device", "virtual:solo-2", "--yes"], "--yes needs --destructive"),
                (["conformance", "answers", "--check", "--json"], "--json has no effect with --check"),
                (["profiles", "keys", "--markdown", "--json"], "--json has no effect with --markdown"),
                (["control", "--print-openapi", "--device", "solo-2"], "--device has no effect with --print-openapi"),
                (["serve", "--port", "0", "--latency", "0 s"], "--latency must be more than zero"),
                (
                    ["serve", "--port", "0", "--token-file", "x", "--device", "solo-2"],
                    "--token-file and --device need --control"
                ),
                (
                    ["device", "start", "yubikey-bio", "--person", "genuine", "--far", "1%"],
                    "--far needs --person impostor"
                ),
                (
                    ["device", "start", "yubikey-bio", "--person", "impostor", "--frr", "1%"],
                    "--frr needs --person genuine"
                ),
                (["device", "start", "solo-2", "--fta", "1%"], "--fta needs --person genuine or --person impostor"),
                (["device", "set-clock-back", "0 s"], "more than zero"),
                (
                    ["device", "inspect", "x", "--ask-passphrase", "--passphrase-file", "y"],
                    "--passphrase-file has no effect with --ask-passphrase"
                ),
                (
                    ["webdriver", "--driver", "x", "--upstream", "http://localhost:1"],
                    "--driver has no effect with --upstream"
                ),
                (
                    ["devtools", "--windows", "--upstream", "http://localhost:1"],
                    "--windows has no effect with --upstream"
                ),
            ])
        func anOptionWithoutEffectIsRefused(arguments: [String], says: String) async throws {
            let output = try await touchstone.run(arguments)
            #expect(output.status == 2, "\(output.standardError)")
            #expect(output.standardError.replacing("\n", with: " ").contains(says), "\(output.standardError)")
        }

        @Test(
            "An error about arguments shows the usage of the command, also where the command finds it as it runs",
            arguments: [
                (["scenario", "run", "user-cancel", "--requirements", "x.yaml"], "touchstone scenario run"),
                (["scenario", "run", "--jobs", "0"], "touchstone scenario run"),
                (["report", "merge", "x.json", "--title", "x"], "touchstone report merge"),
                (["browser", "http://bank.no/"], "touchstone browser"),
            ])
        func usageOfNestedCommands(arguments: [String], command: String) async throws {
            let output = try await touchstone.run(arguments)
            #expect(output.status == 2)
            #expect(output.standardError.contains("\nUsage: \(command) "), "\(output.standardError)")
            #expect(output.standardError.contains("See '\(command) --help' for more information."))
        }

        @Test(
            "touchstone browser refuses a page that cannot have passkeys",
            arguments: ["http://bank.no/", "http://127.0.0.1:3000", "http://[::1]:3000/"])
        func insecurePages(url: String) async throws {
            let output = try await touchstone.run(["browser", url])
            #expect(output.status == 2)
            #expect(output.standardError.hasPrefix("touchstone: the page \(url) cannot use passkeys. They need https"))
        }

        @Test func theHelpGroupsTheCommandsAfterAFirstStep() async throws {
            let help = try await touchstone.run("--help").standardOutput
            let first = try #require(help.range(of: "FIRST SUBCOMMANDS:\n  demo "))
            let second = try #require(help.range(of: "APP AND SITE SUBCOMMANDS:\n  scenario "))
            #expect(first.lowerBound < second.lowerBound)
            #expect(help.contains("`touchstone demo` plays the tour"))
        }

        @Test func aFailedScenarioKeepsItsStatusAndReportWithoutAReader() throws {
            defer { try? FileManager.default.removeItem(at: directory) }
            let report = directory.appending(path: "report.xml")
            #expect(try runFailing("| true", "--verbose --junit '\(report.path)'") == 1)
            #expect(try String(contentsOf: report, encoding: .utf8).contains("<failure"))
        }

        @Test func unwritableOutputIsAUsageError() throws {
            defer { try? FileManager.default.removeItem(at: directory) }
            #expect(try runFailing(">/dev/full") == 2)
            #expect(try runFailing("", "--junit /nowhere/report.xml") == 2)
        }
    }
}
