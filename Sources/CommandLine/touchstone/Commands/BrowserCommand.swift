import ArgumentParser
import Browser
import ControlAPI
import DeviceProfiles
import Foundation
import SimulatedDevice
import WebAuthnClient

/// `touchstone browser`.
struct BrowserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browser",
        abstract: "Open a page in Chromium with a simulated device beside it.",
        discussion: """
            Starts the control API with a device, and Chromium with a temporary profile, the page and the device's panel. \
            A passkey prompt of the page waits for the user of the panel. Everything ends with the browser. \
            docs/panel.md describes it.
            """)

    @Argument(help: "The URL of the page, such as https://localhost:3000.")
    var url: String

    @Option(help: ArgumentHelp("The device, by a profile's name or file.", valueName: "profile"), completion: .profiles)
    var device = "iphone-face-id"

    @Option(help: "The user: ask waits for the panel, auto agrees at once.")
    var person: ControlledUser.Habit = .ask

    @Flag(help: "Give the device a clock that only the panel advances.")
    var simulatedClock = false

    @Option(help: "The way of the page's requests: a script in each page, or the browser's own requests.")
    var mode: BrowserExtension.Mode = .pageScript

    @Option(help: "Chromium's file; default: the first chromium on PATH.")
    var browser: String?

    @Flag(help: "Open no window, for tests.")
    var headless = false

    @Option(help: "The port of the control API; 0 takes a free one.")
    var port = 0

    @Option(help: "Write the token of the control API to this file, readable only by its owner.")
    var tokenFile: String?

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("After --: arguments of the browser.", valueName: "argument"))
    var browserArguments: [String] = []

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        guard let page = URL(string: url), ["http", "https"].contains(page.scheme), page.host() != nil else {
            throw ValidationError("\"\(url)\" is not the URL of a page. Write it like https://localhost:3000.")
        }
        guard Self.mayUsePasskeys(page) else {
            throw ValidationError(
                "The page \(url) cannot use passkeys. They need https with a domain, or localhost. "
                    + "Write such a URL, like https://localhost:3000.")
        }
    }

    /// Whether an origin like that of the page can have passkeys at all; the page may still claim a wrong RP ID.
    private static func mayUsePasskeys(_ page: URL) -> Bool {
        guard let scheme = page.scheme, let host = page.host()?.lowercased(),
            let origin = try? Origin(parsing: "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)")
        else { return true }
        do {
            _ = try origin.relyingPartyID(claiming: nil)
            return true
        } catch {
            return error.reason != .insecureOrigin && error.reason != .originIsAddress
        }
    }

    func run() async throws {
        Interruption.listen(.endingProgram)
        var order = DeviceStartRequest(profile: try ProfileLibrary.standard().profile(device))
        order.habit = person
        order.hasSimulatedClock = simulatedClock
        let control = try await ControlOptions.parse(tokenFile.map { ["--token-file", $0] } ?? []).start(port: port)
        do {
            try await run(order, control)
        } catch {
            await control.stop()
            throw error
        }
        await control.stop()
    }

    private func run(_ order: DeviceStartRequest, _ control: ControlServer) async throws {
        let name = try await control.startDevice(order)
        let origin = try BrowserExtension.origin(mode)
        let process = try start(
            BrowserExtension(
                control: control.baseURL, token: control.makePageToken(device: name, origin: origin).text,
                device: name, mode: mode),
            panel: control.panelAddress())
        if BrowserProcess.isRoot {
            Terminal.writeError("the browser runs without its sandbox, because this is root")
        }
        Terminal.writeError("\(name) answers the passkey prompts of the browser; everything ends with it")
        let (statuses, status) = AsyncStream.makeStream(of: Int32.self)
        await Interruption.whileUninterrupted {
            if let ended = await process.exitStatus() { status.yield(ended) }
        }
        status.finish()
        await process.stop()
        for await status in statuses where status != 0 {
            throw CommandError("the browser ended with status \(status)", .checkFailed)
        }
    }

    private func start(_ extension: BrowserExtension, panel: String) throws -> BrowserProcess {
        var configuration = BrowserProcess.Configuration()
        configuration.program = browser
        configuration.isHeadless = headless
        configuration.arguments = browserArguments
        do {
            return try BrowserProcess.start(configuration, extension: `extension`, page: url, panel: panel)
        } catch let error as BrowserError {
            throw CommandError("\(error)", .notFound)
        }
    }
}

extension BrowserExtension.Mode: ExpressibleByArgument {}
