import ArgumentParser
import Foundation

/// The command line's entry point.
@main
struct Touchstone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touchstone",
        abstract: "A test bench for passkeys and security keys.",
        discussion: """
            Simulated phones and security keys that fail the way real ones fail, a relying party to sign in to, \
            and scenarios that say what each side should see.

            Exit status: 0 success, 1 a check failed, 2 bad usage or input, 3 the device or service asked for is \
            not there.
            """,
        version: "0.1.0",
        subcommands: [
            DemoCommand.self, ProfilesCommand.self, DeviceCommand.self, KeysCommand.self, ScenarioCommand.self,
            ServeCommand.self, ControlCommand.self, PlatformErrorsCommand.self, StatisticsCommand.self,
            FaultsCommand.self,
            AttestationCommand.self, TraceCommand.self, BenchCommand.self,
        ])

    /// Runs the command line; every error a user can cause ends in one of the documented exit statuses.
    static func main() async {
        // A closed pipe is found out by the write that meets it.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            // Everything is written. Libraries that tidy up at the end do so below threads that still use them, as
            // libpcsclite does.
            _exit(0)
        } catch {
            Failure.exit(error)
        }
    }
}
