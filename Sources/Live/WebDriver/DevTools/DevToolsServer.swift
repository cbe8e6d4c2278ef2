package import Browser
package import ControlAPI
internal import Documents
package import Logging
internal import LoopbackHTTP
internal import MachineNeeds

/// DevTools in front of a Chromium, whose pages simulated devices answer.
package struct DevToolsServer: Sendable {
    package struct Configuration: Sendable {
        /// The port on 127.0.0.1; 0: a free port.
        package var port = 0
        package var browser: Browser
        /// The control API in this process, which has the devices.
        package var control: ControlServer
        package var token: AccessToken
        /// The name of a device that answers all pages; nil for none.
        package var device: String?
        /// The server's log; default: silent.
        package var logger = Logger(label: "touchstone.devtools", factory: { _ in SwiftLogNoOpLogHandler() })

        package init(browser: Browser, control: ControlServer, token: AccessToken) {
            self.browser = browser
            self.control = control
            self.token = token
        }
    }

    package enum Browser: Sendable {
        /// Chromium by name or path, which the server starts and ends, with further arguments.
        case program(String, arguments: [String])
        case running(DriverAddress)

        /// Chromium, with or without windows.
        ///
        /// - Parameters:
        ///   - program: its name or path; nil for the one on the path.
        ///   - otherwise: how the caller runs it without windows, for the error.
        /// - Throws: `BrowserError` when Chromium is not installed, and when there is no display for its windows.
        package static func chromium(
            _ program: String? = nil, showsWindows: Bool, arguments: [String] = [], or otherwise: String
        ) throws(BrowserError) -> Browser {
            if showsWindows { try BrowserProcess.requireDisplay(for: arguments, or: otherwise, .devtools) }
            let path = if let program { program } else { try BrowserProcess.installed(for: .devtools) }
            return .program(path, arguments: (showsWindows ? [] : BrowserProcess.headlessArguments) + arguments)
        }
    }

    private let server: SocketServer
    private let documents: DevToolsDocuments
    private let started: StartedBrowser?
    private let work: Task<Void, Never>

    /// Starts a server on 127.0.0.1; it listens when this returns.
    ///
    /// - Throws: ``DriverStartError`` when the browser is not there; an error of the operating system when the port cannot be
    ///   opened.
    package static func start(_ configuration: Configuration) async throws -> DevToolsServer {
        var started: StartedBrowser?
        do {
            let upstream: Int
            switch configuration.browser {
            case .program(let program, let arguments):
                let browser = try await StartedBrowser.chromium(program, arguments)
                (started, upstream) = (browser, browser.port)
            case .running(let address): upstream = address.port
            }
            return try await start(configuration, upstream, started)
        } catch {
            await started?.stop()
            guard error is BrowserConnectionError || error is SocketError else { throw error }
            throw DriverStartError(description: "\(error)")
        }
    }

    private static func start(
        _ configuration: Configuration, _ upstream: Int, _ started: StartedBrowser?
    ) async throws -> DevToolsServer {
        let documents = DevToolsDocuments(try await BrowserConnection.devTools(at: "localhost:\(upstream)"))
        let control = ControlClient(configuration.control, token: configuration.token)
        let pages = SessionPages(
            documents, control, configuration.device.map { PageDevice(name: $0) }, logger: configuration.logger)
        let work = Task { await pages.run() }
        do {
            try await documents.prepare()
            let server = try await SocketServer.start(port: configuration.port, DevToolsEndpoint(port: upstream, pages))
            return DevToolsServer(server: server, documents: documents, started: started, work: work)
        } catch {
            documents.close()
            throw error
        }
    }

    package var port: Int { server.port }

    package var baseURL: String { "http://127.0.0.1:\(port)" }

    /// Waits until the browser ends, or the task is cancelled.
    package func waitUntilEnd() async {
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            documents.close()
        }
    }

    /// Closes the port, and ends a browser that the server has started.
    package func stop() async {
        await server.stop()
        // First, because the program may not have the time for the rest.
        await started?.stop()
        documents.close()
        await work.value
    }
}
