import ArgumentParser
import ControlAPI
import DeviceProfiles
import MachineNeeds
internal import ProfileFiles
import WebDriver

/// `touchstone webdriver`.
struct WebDriverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webdriver",
        abstract: "Answer the passkey requests of WebDriver sessions with simulated devices.",
        discussion: """
            Stands in front of chromedriver: a Selenium script runs unchanged with this server's URL. Its virtual \
            authenticators are simulated devices; the capability touchstone:device starts a phone or a security key \
            with its failures. Commands below /session/ID/touchstone instruct the user, move the clock and read events. \
            Firefox needs no driver. docs/browser.md describes them.
            """)

    @Option(help: "The port; 0 takes a free one.")
    var port = UsualPort.webDriver.number

    @Option(help: "The driver to start, by name or path; default: chromedriver.")
    var driver: String?

    @Option(
        help: """
            Firefox, which needs no driver; default: firefox-esr or firefox on PATH, \
            unless --driver or --upstream is given.
            """)
    var firefox: String?

    @Option(help: "A running driver on this computer, such as http://localhost:9515, in place of --driver.")
    var upstream: DriverAddress?

    @Option(
        help: ArgumentHelp(
            "The device of sessions without the capability touchstone:device, by a profile's name or file; default: none.",
            valueName: "profile"), completion: .profiles)
    var device: String?

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        try OptionRule.exclude("--upstream, a running driver", upstream != nil, from: ["--driver": driver != nil])
    }

    func run() async throws {
        Interruption.listen(.endingProgram)
        try await Interruption.serving { try await serve() }
    }

    private func serve() async throws {
        let token = AccessToken()
        var controlling = ControlConfiguration(token: token, profiles: try ProfileLibrary.standard())
        controlling.logger = TerminalLog.logger("touchstone.control")
        let device = try device.map { try controlling.profiles.profile($0) }
        guard let upstream else {
            let process: DriverProcess
            do {
                process = try await DriverProcess.start(driver ?? "chromedriver")
            } catch let error as DriverStartError {
                throw CommandError("\(error)", .notFound)
            }
            do {
                try await serve(in: controlling, process.address, process, device)
            } catch {
                await process.stop()
                throw error
            }
            return await process.stop()
        }
        try await serve(in: controlling, upstream, nil, device)
    }

    private func serve(
        in controlling: ControlConfiguration, _ driver: DriverAddress, _ process: DriverProcess?,
        _ device: DeviceProfile?
    ) async throws {
        let control: ControlServer
        do {
            control = try await ControlServer.start(controlling)
        } catch {
            throw CommandError("the control API cannot start: \(SystemProblem.words(error))", .notFound)
        }
        var configuration = WebDriverConfiguration(driver: driver, control: control, token: controlling.token)
        configuration.port = port
        configuration.device = device
        let ownsDriver = self.driver == nil && upstream == nil
        configuration.firefox = firefox ?? (ownsDriver ? WebDriverConfiguration.installedFirefox() : nil)
        configuration.logger = TerminalLog.logger("touchstone.webdriver")
        let server: WebDriverServer
        do {
            server = try await WebDriverServer.start(configuration)
        } catch {
            await control.stop()
            throw SystemProblem.cannotStart("WebDriver", on: port, error)
        }
        Terminal.writeError("WebDriver on \(server.baseURL), driver on \(driver); Ctrl-C ends it")
        let check = Task { [upstream] in
            guard let upstream, await !upstream.answers, !Task.isCancelled else { return }
            Terminal.writeError("no driver answers on \(upstream) yet; start it before the first session")
        }
        await Self.waitUntilEnd(of: process)
        let hasDriverEnded = !Task.isCancelled
        check.cancel()
        await server.stop()
        await control.stop()
        if hasDriverEnded {
            throw CommandError(
                "the driver has ended, and its sessions with it; start touchstone webdriver again", .checkFailed)
        }
    }

    /// Waits until a signal arrives, or until the driver that this program has started ends.
    private static func waitUntilEnd(of driver: DriverProcess?) async {
        let serving = Task { await Interruption.waitUntilCancelled() }
        if let driver {
            Task {
                await driver.waitUntilEnd()
                serving.cancel()
            }
        }
        await withTaskCancellationHandler {
            await serving.value
        } onCancel: {
            serving.cancel()
        }
    }
}

extension DriverAddress: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
