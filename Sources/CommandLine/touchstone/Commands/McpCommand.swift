import ArgumentParser
import BenchTools
import ContextCarriers
import ControlAPI
import Foundation
internal import ProfileFiles

/// `touchstone mcp`.
struct McpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Serve coding assistants over the Model Context Protocol.",
        discussion: """
            A coding assistant starts this command and speaks with it on standard input and output, until the input ends. Its \
            tools start simulated devices, act as their users, open browsers with a device behind them, run scenarios and \
            conformance cases, and look errors up. With --http the command serves POST /mcp on 127.0.0.1 until interrupted; \
            every request carries the token. docs/mcp.md has the settings of common assistants.
            """)

    @Flag(help: "Serve HTTP on 127.0.0.1, in place of standard input and output.")
    var http = false

    @Option(help: "The port of --http; 0 takes a free one. Default: \(usualPort).")
    var port: Int?

    @OptionGroup var secret: TokenOptions

    private static let usualPort = 8471

    func validate() throws {
        try OptionRule.need(
            "--http", http,
            for: ["--port": port != nil, "--token-file": secret.tokenFile != nil, "--token": secret.token != nil])
        guard (0...65535).contains(port ?? 0) else { throw ValidationError("--port must be 0 to 65535.") }
    }

    func run() async throws {
        Interruption.listen(.endingProgram)
        if http { try await serveHTTP() } else { try await serveStreams() }
    }

    private func start(
        _ token: AccessToken, port: Int, _ change: (inout ControlConfiguration) -> Void = { _ in }
    ) async throws -> Bench {
        var control = ControlConfiguration(token: token, profiles: try ProfileLibrary.standard())
        control.port = port
        control.logger = TerminalLog.logger("touchstone.mcp")
        change(&control)
        do {
            return try await Bench.start(Bench.Configuration(control: control, version: Touchstone.version))
        } catch {
            throw SystemProblem.cannotStart("the server", on: port, error)
        }
    }

    private func serveStreams() async throws {
        if isatty(STDIN_FILENO) == 1 {
            Terminal.writeError(
                "reading messages of the Model Context Protocol; a coding assistant starts this command. Ctrl-D ends it"
            )
        }
        // Other text for standard output goes to standard error, because the client reads only messages.
        let output = dup(STDOUT_FILENO)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            throw CommandError("standard output cannot be used: \(String(cString: strerror(errno)))", .badInput)
        }
        let bench = try await start(AccessToken(), port: 0)
        await Interruption.whileUninterrupted {
            await StandardStreams(input: STDIN_FILENO, output: output).serve(bench.server)
        }
        await bench.stop()
    }

    private func serveHTTP() async throws {
        let token = try secret.chosen()
        let carrier = HTTPCarrier()
        let bench = try await start(token, port: port ?? Self.usualPort) { $0.additions = carrier.routes }
        carrier.serve(bench.server)
        do {
            try secret.write(token)
        } catch {
            await bench.stop()
            throw error
        }
        Terminal.writeError(
            "Model Context Protocol on \(bench.baseURL)\(HTTPCarrier.path)\(secret.shown(token)); Ctrl-C ends it")
        await Interruption.untilInterrupted()
        await carrier.stop()
        await bench.stop()
    }
}
