internal import ArgumentParser
import ControlAPI
internal import DeviceHost
internal import DeviceProfiles
internal import ProfileFiles
import Providers
import RelyingPartyServer
package import SimulatedDevice

/// The configuration of the control API.
struct ControlOptions: ParsableArguments {
    @OptionGroup var secret: TokenOptions

    @Option(
        name: .customLong("device"),
        help: ArgumentHelp(
            "Start a device: a profile's name or file, and the device's name. Repeatable.",
            valueName: "profile[:name]"))
    var devices: [String] = []

    @Option(help: "The user of those devices: auto agrees at once, ask waits for instructions.")
    var person: ControlledUser.Habit = .auto

    @Flag(help: "Give those devices clocks that only requests advance.")
    var simulatedClock = false

    @Option(help: "Random seed of those devices.")
    var seed: UInt64?

    @Option(help: "Accept requests from pages of this origin, such as a browser extension's. Repeatable.")
    var allowOrigin: [String] = []

    @Flag(help: "Accept WebDriver commands only exactly as specified, not as leniently as ChromeDriver.")
    var strict = false

    @OptionGroup var tracing: TraceOptions

    func validate() throws {
        try OptionRule.need("--device", !devices.isEmpty, for: settingsOfDevices)
        for origin in allowOrigin where !origin.contains("://") || origin.hasSuffix("/") || origin.contains("*") {
            throw ValidationError("--allow-origin takes an origin such as https://example.org, not \"\(origin)\".")
        }
    }

    private var settingsOfDevices: OptionRule.Options {
        ["--person": person != .auto, "--simulated-clock": simulatedClock, "--seed": seed != nil]
    }

    /// The options that have an effect on a running server only.
    var ofRunningServer: OptionRule.Options {
        [
            "--token-file": secret.tokenFile != nil, "--token": secret.token != nil, "--device": !devices.isEmpty,
            "--allow-origin": !allowOrigin.isEmpty, "--trace": tracing.path != nil,
        ]
    }

    func configuration(token: AccessToken) throws -> ControlConfiguration {
        var configuration = ControlConfiguration(token: token, profiles: try ProfileLibrary.standard())
        configuration.allowedOrigins = Set(allowOrigin)
        configuration.isStrict = strict
        configuration.logger = TerminalLog.logger("touchstone.control")
        configuration.trace = try tracing.recorder()
        return configuration
    }

    /// Starts the server with its devices, and prints its address.
    ///
    /// - Parameter conditions: the trouble of the relying party in this process; nil without one.
    func start(
        port: Int, with conditions: ServerConditions? = nil, _ services: LoopbackServices? = nil,
        serverPort: Int? = nil
    ) async throws -> ControlServer {
        if seed != nil { Terminal.warnOfSeed() }
        let token = try secret.chosen()
        var configuration = try configuration(token: token)
        configuration.port = port
        configuration.server = conditions
        configuration.services = services
        configuration.serverPort = serverPort
        let devices = try devices.map { try initialDevice($0, configuration.profiles) }
        let server: ControlServer
        do {
            server = try await ControlServer.start(configuration)
        } catch {
            throw SystemProblem.cannotStart("the control API", on: port, error)
        }
        do {
            for device in devices { try await server.startDevice(device) }
            try secret.write(token)
        } catch {
            await server.stop()
            throw error
        }
        Terminal.writeError("control API on \(server.baseURL)\(secret.shown(token)); Ctrl-C ends it")
        Terminal.writeError("device panel on \(server.panelAddress())")
        return server
    }

    private func initialDevice(_ text: String, _ library: ProfileLibrary) throws -> DeviceStartRequest {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var device = DeviceStartRequest(profile: try library.profile(parts[0]))
        if parts.count > 1 {
            try DeviceName.check(parts[1])
            device.name = parts[1]
        }
        device.habit = person
        device.hasSimulatedClock = simulatedClock
        device.seed = seed
        return device
    }
}

extension ControlledUser.Habit: ExpressibleByArgument {}
