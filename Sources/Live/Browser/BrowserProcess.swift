internal import Foundation
internal import Machine
package import MachineNeeds

/// A running Chromium with the extension, a temporary profile, and the panel beside the page.
package struct BrowserProcess: Sendable {
    /// The settings of a browser.
    package struct Configuration: Sendable {
        /// The browser's path; nil for the first Chromium on `PATH`.
        package var program: String?
        package var isHeadless = false
        package var arguments: [String] = []
        /// The surroundings of a simulated phone that scans the browser's QR codes; nil for none.
        package var surroundings: HybridSurroundings?

        package init() {}
    }

    /// The time that the browser has to end by itself.
    private static let patience = Duration.milliseconds(900)

    private let process: Process
    /// Yields the exit status to the caller who waits for it.
    private let exits: AsyncStream<Int32>
    private let end: AsyncStream<Never>
    private let folder: PrivateFolder

    /// Starts the browser with the URLs of the page to try and of the device panel.
    ///
    /// - Parameters:
    ///   - extension: answers the page's requests with a device; nil where the browser's own dialog does.
    ///   - panel: the address of the panel; nil for none.
    package static func start(
        _ configuration: Configuration, extension: BrowserExtension?, page: String, panel: String?
    ) throws -> BrowserProcess {
        let use = configuration.surroundings == nil ? MachineUse.browser : .phone
        let program = try configuration.program ?? installed(for: use)
        let problem = BrowserError("\(program) cannot be started; name Chromium's file with --browser")
        guard FileManager.default.isExecutableFile(atPath: program) else { throw problem }
        if !configuration.isHeadless { try requireDisplay(for: configuration.arguments, or: "with --headless", use) }
        let folder = try PrivateFolder()
        do {
            let profile = folder.url.appending(path: "profile")
            let extensionFolder = folder.url.appending(path: "extension")
            let start = folder.url.appending(path: "start.html")
            try `extension`?.write(to: extensionFolder)
            try PrivateFolder.make(profile)
            try PrivateFolder.make(profile.appending(path: "Default"))
            try PrivateFolder.write(
                Array(StartPage.preferences.utf8), to: profile.appending(path: "Default/Preferences"))
            let startPage = StartPage(page: page, panel: panel, mode: `extension`?.mode ?? .pageScript)
            try PrivateFolder.write(Array(try startPage.html.utf8), to: start)
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments =
                arguments(
                    configuration, profile: profile.path, extension: `extension` == nil ? nil : extensionFolder.path)
                + [start.absoluteString]
            process.environment = folder.environment.merging(configuration.surroundings?.environment ?? [:]) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
            let (end, ending) = AsyncStream.makeStream(of: Never.self)
            process.terminationHandler = { ended in
                exit.yield(ended.terminationReason == .exit ? ended.terminationStatus : -1)
                exit.finish()
                ending.finish()
            }
            do {
                try process.run()
            } catch {
                throw problem
            }
            return BrowserProcess(process: process, exits: exits, end: end, folder: folder)
        } catch {
            folder.delete()
            throw error
        }
    }

    /// Chromium's arguments for a run without windows.
    package static let headlessArguments = ["--headless=new", "--disable-gpu"]

    /// Chromium on the path.
    ///
    /// - Parameter use: the use of the command, for its error.
    package static func installed(for use: MachineUse) throws(BrowserError) -> String {
        // Google Chrome does not load extensions from its command line.
        guard let path = ProgramSearch.path(of: MachineNeed.chromium.programs) else {
            throw BrowserError(MachineNeed.chromium.absence(for: use))
        }
        return path
    }

    /// Checks that Chromium finds a display for its windows, without which it ends at once and says nothing.
    ///
    /// - Parameters:
    ///   - otherwise: how the command runs without windows.
    ///   - use: the use of the command, for its error.
    package static func requireDisplay(
        for arguments: [String], or otherwise: String, _ use: MachineUse
    ) throws(BrowserError) {
        #if os(Linux)
        let isElsewhere = arguments.contains { $0.hasPrefix("--headless") || $0.hasPrefix("--ozone-platform") }
        guard isElsewhere || DisplayVariable.first(of: DisplayVariable.allCases) != nil else {
            let sentence =
                "Chromium has no display for its windows: \(DisplayVariable.absence(of: DisplayVariable.allCases)); run the "
                + "command in a desktop session, with xvfb-run before it, or \(otherwise)"
            throw BrowserError(use.pointed(sentence))
        }
        #endif
    }

    private static func arguments(_ configuration: Configuration, profile: String, extension: String?) -> [String] {
        var arguments = quietArguments(profile: profile) + (configuration.surroundings?.arguments ?? [])
        if let `extension` {
            arguments += ["--load-extension=\(`extension`)", "--disable-extensions-except=\(`extension`)"]
        }
        if configuration.isHeadless { arguments += headlessArguments }
        return arguments + configuration.arguments
    }

    /// The arguments of a Chromium that asks its user nothing and loads nothing from elsewhere.
    package static func quietArguments(profile: String) -> [String] {
        let arguments = [
            "--user-data-dir=\(profile)", "--no-first-run", "--no-default-browser-check", "--password-store=basic",
            "--disable-sync",
            "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
            "--disable-breakpad",
        ]
        // Chromium refuses to run as root with its sandbox.
        return isRoot ? arguments + ["--no-sandbox"] : arguments
    }

    /// Whether the browser runs without its sandbox, because its user is root.
    package static var isRoot: Bool { geteuid() == 0 }

    /// Waits until the browser ends; returns its exit status, -1 after a signal, or nil when the task is cancelled.
    package func exitStatus() async -> Int32? {
        for await status in exits { return status }
        return nil
    }

    /// Ends the browser and deletes its profile.
    package func stop() async {
        if process.isRunning {
            process.terminate()
            let killer = Task { [process] in
                try await Task.sleep(for: Self.patience)
                kill(process.processIdentifier, SIGKILL)
            }
            for await _ in end {}
            killer.cancel()
        }
        folder.delete()
    }
}
