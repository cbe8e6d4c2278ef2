internal import ControlAPI
internal import Documents
internal import Hummingbird
internal import Logging
internal import LoopbackHTTP

/// Opens and ends the driver's sessions, with their devices.
actor DriverSessions {
    private let driver: Driver
    private let control: ControlClient
    private let configuration: WebDriverConfiguration
    private var running: [String: DriverSession] = [:]

    init(_ driver: Driver, _ configuration: WebDriverConfiguration) {
        self.driver = driver
        self.configuration = configuration
        control = ControlClient(configuration.control, token: configuration.token)
    }

    func session(_ id: String) throws(APIError) -> DriverSession {
        guard let session = running[id] else {
            throw WebDriverError.invalidSessionID.because("No session has the ID “\(id)”.")
        }
        return session
    }

    /// The Firefox of a session, if this server has started it.
    func firefox(of id: String) -> RunningFirefox? { running[id]?.firefox }

    /// Checks that the session's browser has DevTools.
    func requireDevTools(of id: String) throws(APIError) {
        guard running[id]?.firefox != nil else { return }
        throw WebDriverError.unsupportedOperation.because(
            "Firefox has no DevTools. Use classic commands or WebDriver BiDi.")
    }

    /// Opens a session, and adds a device to it.
    func open(_ requested: NewSession, _ request: Request) async throws -> Response {
        let device = try await startDevice(requested.device)
        do {
            if requested.wantsFirefox, let program = configuration.firefox {
                return try await openFirefox(requested, program, device)
            }
            let answer = try await driver.answer(request, body: try requested.askingForBiDi.bytes())
            guard answer.status == 200 else {
                await stop(device)
                return Driver.response(answer)
            }
            guard let opened = OpenedSession(try JSONValue(parsing: answer.body)) else {
                throw WebDriverError.sessionNotCreated.because("The driver's answer names no session.")
            }
            do {
                let port = try await attach(opened, device)
                return Driver.response(answer, body: try opened.answer(naming: device?.name, port: port).bytes())
            } catch {
                _ = try? await driver.send("DELETE", "/session/\(opened.id)")
                throw WebDriverError.sessionNotCreated.because("The browser cannot be reached: \(error).")
            }
        } catch {
            await stop(device)
            throw error
        }
    }

    private func startDevice(_ value: JSONValue?) async throws -> PageDevice? {
        guard let value = value ?? configuration.requested else { return nil }
        let requested = try RequestedDevice(value)
        let (answer, json) = try await control.send("POST", "/v1/devices", requested.order)
        guard answer.status == 201, let name = json["status"]?["name"]?.text else {
            throw RequestedDevice.invalid(
                "names no device that can be started: \(json["error"]?["message"]?.text ?? "")")
        }
        let device = requested.device(named: name)
        guard !requested.hasPINs || json["status"]?["hasClientPIN"] == true else {
            await stop(device)
            throw RequestedDevice.invalid(
                "has \(SessionForms.pinsName), and its device asks for no client PIN; leave them out")
        }
        return device
    }

    private func stop(_ device: PageDevice?) async {
        guard let device else { return }
        _ = try? await control.send("DELETE", "/v1/devices/\(device.name)")
    }

    /// Opens a session of a Firefox that this server starts.
    private func openFirefox(_ requested: NewSession, _ program: String, _ device: PageDevice?) async throws -> Response
    {
        let options = try FirefoxOptions(requested[FirefoxOptions.capability], program: program)
        let firefox: RunningFirefox
        do {
            firefox = try await RunningFirefox.start(options, requested.capabilitiesForFirefox)
        } catch {
            throw WebDriverError.sessionNotCreated.because("Firefox does not start: \(error).")
        }
        do {
            guard let opened = OpenedSession(["value": firefox.session]), let address = opened.webSocket else {
                throw BrowserConnectionError.closed
            }
            let browser = try await BrowserConnection.connect(to: MessageSocket.Address(address))
            let port = try await attach(opened, browser, device, firefox)
            return try Reply.json(opened.answer(naming: device?.name, port: port))
        } catch {
            await firefox.stop()
            throw WebDriverError.sessionNotCreated.because("Firefox opens no session: \(error).")
        }
    }

    /// Adds this server's part to a session of the driver; returns the port of its DevTools or WebDriver BiDi.
    private func attach(_ opened: OpenedSession, _ device: PageDevice?) async throws -> Int {
        if let address = opened.devTools {
            let port = DriverAddress("http://" + address)?.port ?? 0
            let documents = DevToolsDocuments(try await BrowserConnection.devTools(at: address))
            let pages = SessionPages(documents, control, device, logger: configuration.logger)
            return try await attach(opened.id, documents, pages, DevToolsEndpoint(port: port, pages), nil)
        }
        guard let address = opened.webSocket else {
            throw BrowserConnectionError(description: "it has neither DevTools nor WebDriver BiDi")
        }
        let browser = try await BrowserConnection.connect(to: MessageSocket.Address(address))
        return try await attach(opened, browser, device, nil)
    }

    /// Adds this server's part to a session with WebDriver BiDi.
    private func attach(
        _ opened: OpenedSession, _ browser: BrowserConnection, _ device: PageDevice?, _ firefox: RunningFirefox?
    ) async throws -> Int {
        let clients = BiDiClients(browser, session: opened.id)
        let documents = BiDiDocuments(browser, clients)
        let pages = SessionPages(documents, control, device, logger: configuration.logger)
        return try await attach(opened.id, documents, pages, clients, firefox)
    }

    private func attach(
        _ id: String, _ documents: any PageDocuments, _ pages: SessionPages, _ endpoint: any SocketEndpoint,
        _ firefox: RunningFirefox?
    ) async throws -> Int {
        Task {
            // The browser ends with its last window, too.
            await pages.run()
            await forget(id)
        }
        do {
            try await documents.prepare()
            let (_, json) = try await control.send("POST", "/session", ["capabilities": [:]])
            guard let controlSession = json["value"]?["sessionId"]?.text else {
                throw BrowserConnectionError(
                    description: json["value"]?["message"]?.text ?? "the control API opens no session")
            }
            let server = try await SocketServer.start(endpoint)
            let webAuthn = WebAuthnDomain(pages, page: nil) { _, _ in }
            running[id] = DriverSession(
                id: id, controlSession: controlSession, documents: documents, pages: pages, server: server,
                webAuthn: webAuthn, firefox: firefox)
            return server.port
        } catch {
            documents.close()
            throw error
        }
    }

    private func forget(_ id: String) async {
        guard let session = running.removeValue(forKey: id) else { return }
        await session.server.stop()
        await session.firefox?.stop()
        session.documents.close()
        await session.webAuthn.close()
        _ = try? await control.send("DELETE", "/session/\(session.controlSession)")
        // The virtual authenticators have ended with the session.
        for device in await session.pages.devices { await stop(device) }
    }

    /// Ends a session at the driver, and its devices.
    func close(_ id: String, _ request: Request) async throws -> Response {
        if running[id]?.firefox != nil {
            await forget(id)
            return try Reply.json(["value": .null] as JSONValue)
        }
        let answer = try await driver.answer(request, body: [])
        await forget(id)
        return Driver.response(answer)
    }

    func closeAll() async {
        await withTaskGroup { group in
            for (id, session) in running {
                group.addTask {
                    if session.firefox == nil { _ = try? await self.driver.send("DELETE", "/session/\(id)") }
                    await self.forget(id)
                }
            }
        }
    }
}
