import ArgumentParser
import Browser
import ControlAPI
import DeviceProfiles
import MachineNeeds
internal import ProfileFiles
import SimulatedDevice
import WebDriver

/// `touchstone devtools`.
struct DevToolsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devtools",
        abstract: "Serve Chromium's DevTools with simulated devices as virtual authenticators.",
        discussion: """
            Starts Chromium without windows, or stands in front of a running one: a script of Playwright or Puppeteer connects \
            to this server's URL and runs unchanged. Its virtual authenticators, of the domain WebAuthn, are simulated \
            devices. docs/browser.md describes them.
            """)

    @Option(help: "The port; 0 takes a free one.")
    var port = UsualPort.devTools.number

    @Option(help: "Chromium's file; default: the first chromium on PATH.")
    var browser: String?

    @Option(
        help:
            "The DevTools of a running browser on this computer, such as http://localhost:9223, in place of --browser."
    )
    var upstream: DriverAddress?

    @Option(
        help: ArgumentHelp(
            "A device that answers all pages, by a profile's name or file; default: none.", valueName: "profile"),
        completion: .profiles)
    var device: String?

    @Flag(help: "Open Chromium with its windows.")
    var windows = false

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("After --: arguments of the browser.", valueName: "argument"))
    var browserArguments: [String] = []

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        try OptionRule.exclude(
            "--upstream, a running browser", upstream != nil,
            from: [
                "--browser": browser != nil, "--windows": windows, "-- ARGUMENT": !browserArguments.isEmpty,
            ])
    }

    func run() async throws {
        Interruption.listen(.endingProgram)
        try await Interruption.serving { try await serve() }
    }

    private func serve() async throws {
        let token = AccessToken()
        var controlling = ControlConfiguration(token: token, profiles: try ProfileLibrary.standard())
        controlling.logger = TerminalLog.logger("touchstone.control")
        let profile = try device.map { try controlling.profiles.profile($0) }
        let control: ControlServer
        do {
            control = try await ControlServer.start(controlling)
        } catch {
            throw CommandError("the control API cannot start: \(SystemProblem.words(error))", .notFound)
        }
        do {
            var configuration = DevToolsServer.Configuration(browser: try chosen(), control: control, token: token)
            configuration.port = port
            if let profile {
                configuration.device = try await control.startDevice(DeviceStartRequest(profile: profile))
            }
            configuration.logger = TerminalLog.logger("touchstone.devtools")
            try await serve(configuration)
        } catch {
            await control.stop()
            throw error
        }
        await control.stop()
    }

    private func chosen() throws -> DevToolsServer.Browser {
        if let upstream { return .running(upstream) }
        do {
            return try .chromium(
                browser, showsWindows: windows, arguments: browserArguments, or: "without --windows")
        } catch {
            throw CommandError("\(error)", .notFound)
        }
    }

    private func serve(_ configuration: DevToolsServer.Configuration) async throws {
        let server: DevToolsServer
        do {
            server = try await DevToolsServer.start(configuration)
        } catch let error as DriverStartError {
            throw CommandError("\(error)", .notFound)
        } catch {
            throw SystemProblem.cannotStart("DevTools", on: port, error)
        }
        if configuration.startsBrowserAsRoot {
            Terminal.writeError("the browser runs without its sandbox, because this is root")
        }
        Terminal.writeError("DevTools on \(server.baseURL); Ctrl-C ends it")
        await server.waitUntilEnd()
        await server.stop()
    }
}

extension DevToolsServer.Configuration {
    fileprivate var startsBrowserAsRoot: Bool {
        switch browser {
        case .program: BrowserProcess.isRoot
        case .running: false
        }
    }
}
