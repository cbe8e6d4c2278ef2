internal import Browser
internal import Documents
internal import Foundation

/// A browser with a temporary profile and an endpoint for programs, which this program starts and ends.
struct StartedBrowser: Sendable {
    let port: Int
    private let program: StartedProgram
    private let folder: PrivateFolder

    /// The longest start on a busy computer.
    private static let patience = Duration.seconds(60)

    /// Starts Firefox with Marionette, whose port this is, and WebDriver BiDi.
    static func firefox(_ options: FirefoxOptions) async throws -> StartedBrowser {
        try await start(options.program, files: ["user.js": options.preferences]) { profile in
            ["--marionette", "--remote-debugging-port=0", "--profile", profile, "--no-remote", "--new-instance"]
                + options.arguments
        } port: { folder in
            // Marionette names the address of a session's WebDriver BiDi, if that listens.
            _ = try Data(contentsOf: folder.appending(path: "WebDriverBiDiServer.json"))
            return Int(try String(contentsOf: folder.appending(path: "MarionetteActivePort"), encoding: .utf8))
        }
    }

    /// Starts Chromium with DevTools.
    static func chromium(_ program: String, _ arguments: [String]) async throws -> StartedBrowser {
        try await start(program, files: [:]) { profile in
            BrowserProcess.quietArguments(profile: profile) + ["--remote-debugging-port=0"] + arguments
        } port: { folder in
            // The first line is the port.
            let content = try String(contentsOf: folder.appending(path: "DevToolsActivePort"), encoding: .utf8)
            return content.split(separator: "\n", omittingEmptySubsequences: false).first.flatMap { Int($0) }
        }
    }

    /// - Parameter port: reads the endpoint's port from the profile's folder; throws or returns nil before it is there.
    private static func start(
        _ program: String, files: [String: String], arguments: (String) -> [String], port: (URL) throws -> Int?
    ) async throws -> StartedBrowser {
        let folder: PrivateFolder
        do {
            folder = try PrivateFolder()
            for (name, text) in files {
                try PrivateFolder.write(Array(text.utf8), to: folder.url.appending(path: name))
            }
        } catch {
            throw BrowserConnectionError(description: "the profile cannot be written: \(error)")
        }
        do {
            return try await start(program, arguments(folder.url.path), folder, port)
        } catch {
            folder.delete()
            throw error
        }
    }

    private static func start(
        _ program: String, _ arguments: [String], _ folder: PrivateFolder, _ port: (URL) throws -> Int?
    ) async throws -> StartedBrowser {
        let started: StartedProgram
        do {
            started = try StartedProgram(program, arguments, environment: folder.environment)
        } catch {
            throw BrowserConnectionError(description: "\(program) cannot be started: \(error.localizedDescription)")
        }
        let deadline = ContinuousClock.now + patience
        while started.isRunning, ContinuousClock.now < deadline, !Task.isCancelled {
            if let port = try? port(folder.url), port > 0 {
                return StartedBrowser(port: port, program: started, folder: folder)
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        guard started.isRunning else {
            throw BrowserConnectionError(
                description: "\(program) ended at once, with status \(started.status)")
        }
        await started.stop()
        throw BrowserConnectionError(description: "\(program) opens no endpoint within \(patience)")
    }

    /// Ends the browser, and deletes its profile.
    func stop() async {
        await program.stop()
        folder.delete()
    }
}
