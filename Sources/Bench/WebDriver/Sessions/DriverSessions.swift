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

    /// The session of an ID.
    ///
    /// - Throws: `invalid session id`.
    func session(_ id: String) throws(APIError) -> DriverSession {
        guard let session = running[id] else {
            throw WebDriverError.invalidSessionID.because("No session has the ID “\(id)”.")
        }
        return session
    }

    /// Opens a session of the driver, and adds a device to it.
    func open(_ wish: NewSession, _ request: Request) async throws -> Response {
        let device = try await startDevice(wish.device)
        do {
            let answer = try await driver.answer(request, body: try wish.body.bytes())
            guard answer.status == 200 else {
                await stop(device)
                return Driver.response(answer)
            }
            guard let opened = OpenedSession(try JSONValue(parsing: answer.body)) else {
                throw WebDriverError.sessionNotCreated.because("The driver's answer names no session.")
            }
            do {
                try await attach(opened, device)
            } catch {
                _ = try? await driver.send("DELETE", "/session/\(opened.id)")
                throw WebDriverError.sessionNotCreated.because("The browser cannot be reached: \(error).")
            }
            return Driver.response(answer, body: try opened.answer(naming: device?.name).bytes())
        } catch {
            await stop(device)
            throw error
        }
    }

    /// Starts the session's device.
    private func startDevice(_ value: JSONValue?) async throws -> PageDevice? {
        guard let value = value ?? configuration.wish else { return nil }
        let wish = try DeviceWish(value)
        let (answer, json) = try await control.send("POST", "/v1/devices", wish.order)
        guard answer.status == 201, let name = json["status"]?["name"]?.text else {
            throw DeviceWish.invalid("names no device that can be started: \(json["error"]?["message"]?.text ?? "")")
        }
        return wish.device(named: name)
    }

    private func stop(_ device: PageDevice?) async {
        guard let device else { return }
        _ = try? await control.send("DELETE", "/v1/devices/\(device.name)")
    }

    private func attach(_ opened: OpenedSession, _ device: PageDevice?) async throws {
        guard let devTools = opened.devTools else {
            throw BrowserError(description: "it has no DevTools; Chromium's family has them")
        }
        let documents = BrowserDocuments(try await DevToolsConnection.connect(to: devTools))
        let carrier = PageCarrier(documents, control, device, logger: configuration.logger)
        Task {
            // The browser ends with its last window, too.
            await carrier.run()
            await forget(opened.id)
        }
        do {
            try await documents.prepare()
            let (_, json) = try await control.send("POST", "/session", ["capabilities": [:]])
            guard let controlSession = json["value"]?["sessionId"]?.text else {
                throw BrowserError(description: json["value"]?["message"]?.text ?? "the control API opens no session")
            }
            running[opened.id] = DriverSession(
                id: opened.id, controlSession: controlSession, documents: documents, carrier: carrier)
        } catch {
            documents.close()
            throw error
        }
    }

    /// Ends a session's devices.
    private func forget(_ id: String) async {
        guard let session = running.removeValue(forKey: id) else { return }
        session.documents.close()
        _ = try? await control.send("DELETE", "/session/\(session.controlSession)")
        // The virtual authenticators have ended with the session.
        for device in await session.carrier.devices { await stop(device) }
    }

    /// Ends a session at the driver, and its devices.
    func close(_ id: String, _ request: Request) async throws -> Response {
        let answer = try await driver.answer(request, body: [])
        await forget(id)
        return Driver.response(answer)
    }

    /// Ends all sessions.
    func closeAll() async {
        await withTaskGroup { group in
            for id in running.keys {
                group.addTask {
                    _ = try? await self.driver.send("DELETE", "/session/\(id)")
                    await self.forget(id)
                }
            }
        }
    }
}
