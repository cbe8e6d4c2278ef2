import ArgumentParser
import Foundation
import Machine
import Wording

/// The command line's entry point.
@main
struct Touchstone: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "touchstone",
        abstract: "A test bench for passkeys and security keys.",
        discussion: """
            Simulates phones and security keys that fail as real ones do, serves a relying party to sign in to, and \
            plays scenarios that check the observations of each side.

            `touchstone demo` plays the tour, `touchstone doctor` says what this computer can do, and `touchstone scenario copy user-cancel` gives you a scenario to change. \
            docs/first-hour-app.md, first-hour-keys.md and first-hour-conformance.md are guides for the first hour.

            Exit status: 0 success; 1 a check failed, a device refused or the user declined; 2 bad usage or input; 3 a \
            device or service was not found, or its port or name is in use.
            """,
        version: version,
        subcommands: [CompiledCommand.self],
        groupedSubcommands: [
            CommandGroup(name: "First", subcommands: [DemoCommand.self, DoctorCommand.self]),
            CommandGroup(
                name: "App and site",
                subcommands: [
                    ScenarioCommand.self, PlatformErrorsCommand.self, BrowserCommand.self, WebDriverCommand.self,
                    DevToolsCommand.self, ReportCommand.self, McpCommand.self,
                ]),
            CommandGroup(
                name: "Device and key",
                subcommands: [
                    ProfilesCommand.self, DeviceCommand.self, KeysCommand.self, ControlCommand.self, FaultsCommand.self,
                    AttestationCommand.self, StatisticsCommand.self, TraceCommand.self, DecodeCommand.self,
                ]),
            CommandGroup(
                name: "Relying party", subcommands: [ServeCommand.self, RelyingPartyCommand.self, VerifyCommand.self]),
            CommandGroup(name: "Conformance", subcommands: [ConformanceCommand.self, BenchCommand.self]),
        ])

    /// Every error a user can cause ends in a documented exit status.
    static func main() async {
        // Files, sockets and databases are private under any umask; reports follow the umask.
        FileMask.makePrivate()
        Limits.forbidCoreDumps()
        FreedMemory.keep()
        Limits.raiseDescriptors()
        // The write to a closed pipe reports it.
        signal(SIGPIPE, SIG_IGN)
        // So does the write beyond the largest file.
        signal(SIGXFSZ, SIG_IGN)
        // Without the parser, which reads the help of every command first.
        if CommandLine.arguments.dropFirst() == ["--version"] {
            Terminal.write(version)
            _exit(0)
        }
        do {
            guard !MachineClock.shared.isAstray else {
                throw CommandError(
                    "the computer's clock shows a time outside the years 1970 to 9999; set it", .badInput)
            }
            if let name = EnvironmentVariable.unknownName { throw CommandError(Self.unknown(name), .badInput) }
            if CommandLine.arguments.count == 1, isatty(STDOUT_FILENO) == 1 {
                await FirstRun.show()
                _exit(0)
            }
            try Subcommand.check(CommandLine.arguments.dropFirst())
            var command = try parseAsRoot()
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                // The parser would show the usage of the program.
                throw Subcommand.usageError(error.message, of: type(of: command))
            }
            OutputQueue.shared.finish()
            EventLines.finish()
            // Exit handlers of libraries such as libpcsclite free memory that other threads still use.
            _exit(0)
        } catch {
            Failure.exit(error)
        }
    }

    /// The error about an environment variable that looks like one of the program's.
    private static func unknown(_ name: String) -> String {
        func end(_ name: String) -> String { String(name.dropFirst(EnvironmentVariable.prefix.count)) }
        let names = EnvironmentVariable.allCases.map(\.rawValue)
        let nearest = NearestNames.to(end(name), among: names.map(end)).map { EnvironmentVariable.prefix + $0 }
        return "\(name) is not a variable of touchstone; "
            + (nearest.isEmpty
                ? "unset it; touchstone reads \(names.joined(separator: ", "))"
                : "did you mean \(nearest.joined(separator: ", "))?")
    }
}
