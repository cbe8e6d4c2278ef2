import ArgumentParser
import Browser
import CTAPHybrid
import ControlAPI
import DeviceActs
import DeviceHost
import DeviceProfiles
import Faults
import Foundation
internal import ProfileFiles
import Providers
import RelyingPartyServer
import SimulatedDevice
import Synchronization
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// `touchstone browser`.
struct BrowserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browser",
        abstract: "Open a page in Chromium with a simulated device beside it.",
        discussion: """
            Starts the control API with a device, and Chromium with a temporary profile, the page and the device's panel. \
            A passkey prompt of the page waits for the user of the panel. Everything ends with the browser. With --hybrid there is \
            neither control API nor panel, and running devices answer. \
            docs/panel.md describes it.
            """)

    @Argument(
        help: """
            The URL of the page, such as https://localhost:3000; default: the sign-in page of a relying party that this \
            command starts.
            """)
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The device, by a profile's name or file; default: iphone-face-id.", valueName: "profile"),
        completion: .profiles)
    var device: String?

    @Option(
        help: ArgumentHelp(
            """
            In place of a device of the page: a phone that scans the QR code of Chromium's own dialog, by a profile's name \
            or file.
            """,
            valueName: "profile"), completion: .profiles)
    var phone: String?

    @Flag(
        help: """
            In place of a device of the page: running devices scan the QR codes of Chromium's own dialog with `touchstone \
            device scan --screen`.
            """)
    var hybrid = false

    @Option(
        help: ArgumentHelp(
            "Arm a fault of the device from the start, a name of `touchstone faults list`; may be given several times.",
            valueName: "fault"), completion: .faults)
    var fault: [String] = []

    @Option(help: "The user: ask waits for the panel, auto agrees at once.")
    var person: ControlledUser.Habit = .ask

    @Flag(help: "Give the device a clock that only the panel advances.")
    var simulatedClock = false

    @Option(help: "The way of the page's requests: a script in each page, or the browser's own requests.")
    var mode: BrowserExtension.Mode?

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
        try OptionRule.exclude("--phone", phone != nil, from: ["--device": device != nil, "--mode": mode != nil])
        try OptionRule.exclude(
            "--hybrid", hybrid,
            from: [
                "--phone": phone != nil, "--device": device != nil, "--mode": mode != nil, "--fault": !fault.isEmpty,
                "--simulated-clock": simulatedClock, "--person": person != .ask, "--port": port != 0,
                "--token-file": tokenFile != nil,
            ])
        // The phone compares the time in a code with its clock, and the browser has the computer's.
        try OptionRule.exclude("--phone", phone != nil, from: ["--simulated-clock": simulatedClock])
        let option = hybrid ? "--hybrid" : "--phone"
        if showsCodes, let argument = browserArguments.first(where: HybridSurroundings.conflicts) {
            throw ValidationError(
                "The browser's argument \(argument) has no effect with \(option), or takes it away; remove one.")
        }
        guard !(showsCodes && headless) else {
            throw ValidationError(
                "\(option) needs windows, because Chromium shows no QR code without them; leave out --headless.")
        }
        guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        guard let url else { return }
        guard let page = URL(string: url), ["http", "https"].contains(page.scheme), page.host() != nil else {
            throw ValidationError("\"\(url)\" is not the URL of a page. Write it like https://localhost:3000.")
        }
        guard Self.mayUsePasskeys(page) else {
            throw ValidationError(
                "The page \(url) cannot use passkeys. They need https with a domain, or localhost. "
                    + "Write such a URL, like https://localhost:3000.")
        }
    }

    /// Whether phones answer the browser's own dialog.
    private var showsCodes: Bool { hybrid || phone != nil }

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
        var order = DeviceStartRequest(
            profile: try ProfileLibrary.standard().profile(phone ?? device ?? "iphone-face-id"))
        if phone != nil, !order.profile.authenticator.transports.contains(.hybrid) {
            throw ValidationError(
                "The profile \(order.profile.name) does not scan QR codes: it has no transport hybrid. "
                    + "Choose one that has it, such as iphone-face-id or pixel-fingerprint.")
        }
        order.habit = person
        order.hasSimulatedClock = simulatedClock
        let faults = try fault.map { try DeviceAct(verb: "fault", arguments: ["name": $0]) }
        try await withPage { page in
            guard !hybrid else { return try await runForRunningDevices(page) }
            try await run(order, faults, page)
        }
    }

    /// Finds the page, or serves one until the use ends.
    private func withPage(_ use: (String) async throws -> Void) async throws {
        if let url { return try await use(url) }
        var configuration = RelyingPartyConfiguration()
        configuration.services = [LoopbackServices()]
        let server: RelyingPartyServer
        do {
            server = try await RelyingPartyServer.start(configuration)
        } catch {
            throw CommandError("the relying party cannot start: \(SystemProblem.words(error))", .notFound)
        }
        do {
            try await use(server.baseURL + LoopbackServices.firstPage)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func run(_ order: DeviceStartRequest, _ faults: [DeviceAct], _ page: String) async throws {
        let control = try await ControlOptions.parse(tokenFile.map { ["--token-file", $0] } ?? []).start(port: port)
        do {
            try await run(order, faults, page, control)
        } catch {
            await control.stop()
            throw error
        }
        await control.stop()
    }

    private func run(
        _ order: DeviceStartRequest, _ faults: [DeviceAct], _ page: String, _ control: ControlServer
    ) async throws {
        let name = try await control.startDevice(order)
        for fault in faults { try await control.perform(fault, on: name) }
        guard phone == nil else { return try await run(phone: name, page, control) }
        let mode = mode ?? .pageScript
        let origin = try BrowserExtension.origin(mode)
        let process = try start(
            page,
            BrowserExtension(
                control: control.baseURL, token: control.makePageToken(device: name, origin: origin).text,
                device: name, mode: mode),
            panel: control.panelAddress())
        Terminal.writeError("\(name) answers the passkey prompts of the browser; everything ends with it")
        try await wait(for: process)
    }

    /// Runs the browser beside a phone that scans its QR codes.
    private func run(phone name: String, _ page: String, _ control: ControlServer) async throws {
        try await withSurroundings { surroundings in
            let faults = try await control.connectionFaults(of: name)
            // The browser looks for its adapter when it starts.
            surroundings.setAdapter(faults.adapter)
            let process = try start(page, nil, panel: control.panelAddress(), surroundings)
            Terminal.writeError(
                "\(name) scans the QR codes of the browser, and asks its user in the panel; everything ends with it")
            let scanning = Task { await Self.scanCodes(name, surroundings, control) }
            let following = Task {
                await surroundings.followAdapter({ faults.adapter }, note: faults.applyToAdapter)
            }
            let end: Result<Void, any Error>
            do { end = .success(try await wait(for: process)) } catch { end = .failure(error) }
            scanning.cancel()
            following.cancel()
            await scanning.value
            await following.value
            try end.get()
        }
    }

    /// Runs the browser for devices of other processes, which scan its QR codes.
    private func runForRunningDevices(_ page: String) async throws {
        try await withSurroundings { surroundings in
            let process = try start(page, nil, panel: nil, surroundings)
            Terminal.writeError(
                "running devices scan the QR codes of the browser with `touchstone device scan --screen`; everything ends with it"
            )
            try await wait(for: process)
        }
    }

    private func withSurroundings(_ use: (HybridSurroundings) async throws -> Void) async throws {
        let surroundings: HybridSurroundings
        do {
            surroundings = try await HybridSurroundings.start()
        } catch let error as BrowserError {
            throw CommandError("\(error)", .notFound)
        }
        do {
            try await use(surroundings)
        } catch {
            await surroundings.stop()
            throw error
        }
        await surroundings.stop()
    }

    /// Lets the phone scan each code that appears; a new one ends the scan before it, as a phone has one at a time.
    private static func scanCodes(
        _ name: String, _ surroundings: HybridSurroundings, _ control: ControlServer
    ) async {
        let current = Mutex<Task<Void, Never>?>(nil)
        do {
            try await surroundings.watchScreen { text in
                current.withLock { task in
                    let former = task
                    former?.cancel()
                    task = Task {
                        await former?.value
                        await scan(text, name, surroundings, control)
                    }
                }
            }
        } catch {
            Terminal.writeError("\(error)")
        }
        let last = current.withLock(\.self)
        last?.cancel()
        await last?.value
    }

    private static func scan(
        _ text: String, _ name: String, _ surroundings: HybridSurroundings, _ control: ControlServer
    ) async {
        Terminal.writeError("\(name) scans a QR code")
        do {
            Terminal.writeError(try await control.scan(text, by: name, over: surroundings.way).explanation)
        } catch {
            Terminal.writeError("\(name): \(error)")
        }
    }

    private func wait(for process: BrowserProcess) async throws {
        if BrowserProcess.isRoot {
            Terminal.writeError("the browser runs without its sandbox, because this is root")
        }
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

    private func start(
        _ page: String, _ extension: BrowserExtension?, panel: String?, _ surroundings: HybridSurroundings? = nil
    ) throws -> BrowserProcess {
        var configuration = BrowserProcess.Configuration()
        configuration.program = browser
        configuration.isHeadless = headless
        configuration.arguments = browserArguments
        configuration.surroundings = surroundings
        do {
            return try BrowserProcess.start(configuration, extension: `extension`, page: page, panel: panel)
        } catch let error as BrowserError {
            throw CommandError("\(error)", .notFound)
        }
    }
}

extension BrowserExtension.Mode: ExpressibleByArgument {}
