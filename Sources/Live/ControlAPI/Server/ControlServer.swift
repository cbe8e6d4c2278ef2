package import CTAPHybrid
package import DeviceActs
package import DeviceHost
internal import Documents
package import Faults
internal import Hummingbird
package import HybridLink
internal import Logging
internal import LoopbackHTTP
internal import SimulatedDevice

/// The control API over HTTP.
///
/// ```swift
/// let control = try await ControlServer.start(ControlConfiguration(token: AccessToken(), profiles: .standard()))
/// // … talk to control.baseURL with control.token …
/// await control.stop()
/// ```
package struct ControlServer: Sendable {
    private let running: RunningServer
    let fleet: Fleet
    let operations: ControlOperations
    private let journal: EventJournal
    private let tokens: AccessTokens
    private let sockets: RequestSockets
    private let heartbeat: Task<Void, Never>

    /// Starts a server on 127.0.0.1, which listens when this returns; throws when the port cannot be opened.
    package static func start(_ configuration: ControlConfiguration) async throws -> ControlServer {
        let journal = EventJournal(capacity: configuration.eventCapacity)
        let fleet = Fleet(configuration: configuration, journal: journal)
        let tokens = AccessTokens(configuration.token, time: configuration.clock)
        let port = ListeningPort()
        let sockets = RequestSockets(time: configuration.clock, logger: configuration.logger)
        let operations = ControlOperations(
            configuration: configuration, fleet: fleet, journal: journal, tokens: tokens, sockets: sockets)
        let router = router(configuration, tokens, operations.all, port)
        sockets.pass(to: router.buildResponder().respond)
        try await sockets.start()
        let running: RunningServer
        do {
            running = try await RunningServer.start(logger: configuration.logger) { onListening in
                application(router, configuration, port, onListening)
            }
        } catch {
            await sockets.stop()
            throw error
        }
        let heartbeat = Task {
            while (try? await Task.sleep(for: configuration.heartbeat)) != nil { journal.wakeAll() }
        }
        return ControlServer(
            running: running, fleet: fleet, operations: operations, journal: journal, tokens: tokens, sockets: sockets,
            heartbeat: heartbeat)
    }

    private static func router(
        _ configuration: ControlConfiguration, _ tokens: AccessTokens, _ operations: [Operation], _ port: ListeningPort
    ) -> Router<ClientContext> {
        let router = Router(context: RouteTable.Context.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: OriginSharing { configuration.allowedOrigins.contains($0) })
        router.add(
            middleware: ErrorMiddleware(render: { error, request in
                try request.isWebDriver ? WebDriverError.response(error) : Reply.error(error)
            }))
        router.add(
            middleware: AccessGuard(
                tokens: tokens, allowedOrigins: configuration.allowedOrigins,
                methods: configuration.additions.methods.union(operations.map(\.method)), port: port))
        var routes = RouteTable()
        for operation in operations { operation.add(to: &routes) }
        PanelFiles.add(to: &routes)
        routes.add(configuration.additions)
        routes.register(on: router)
        return router
    }

    private static func application(
        _ router: Router<ClientContext>, _ configuration: ControlConfiguration, _ port: ListeningPort,
        _ onListening: @escaping @Sendable (Int) -> Void
    ) -> some ApplicationProtocol {
        Application(
            router: router,
            server: .loopback,
            configuration: .loopback(
                .hostname("127.0.0.1", port: configuration.port), logger: configuration.logger),
            onServerRunning: { channel in
                guard let number = channel.localAddress?.port else { return }
                port.set(number)
                onListening(number)
            },
            logger: configuration.logger)
    }

    package var port: Int { running.port }

    package var baseURL: String { "http://127.0.0.1:\(port)" }

    /// Makes an address of the device panel, which opens it once.
    package func panelAddress() -> String { baseURL + PanelPaths.address(tokens.makePanelLink()) }

    /// Makes a token for the requests of pages with a device, for the browser extension of an origin.
    package func makePageToken(device: String, origin: String) -> AccessToken {
        tokens.makePageToken(device: device, origin: origin)
    }

    /// Starts a device, and returns its name.
    ///
    /// - Throws: ``ControlError`` when the name is invalid or in use, or the device's socket cannot be opened.
    @discardableResult
    package func startDevice(_ order: DeviceStartRequest) async throws(ControlError) -> String {
        do {
            return try await fleet.start(order).name
        } catch {
            throw ControlError(description: error.message, isNameTaken: error.code == .deviceNameTaken)
        }
    }

    /// A device scans a QR code, and answers the other end until the connection ends; the adapter there follows
    /// ``connectionFaults(of:)``.
    ///
    /// - Throws: ``ControlError`` for a device that does not run, and the radio's error.
    package func scan(
        _ text: String, by device: String, over way: HybridWay,
        note: @escaping @Sendable (HybridAuthenticator.Action) -> Void = { _ in }
    ) async throws -> ScanOutcome {
        try await host(device).scan(text, over: way, followsAdapter: true, note: note)
    }

    /// The armed faults of a device's hybrid connections.
    ///
    /// - Throws: ``ControlError`` for a device that does not run.
    package func connectionFaults(of device: String) async throws(ControlError) -> ConnectionFaults {
        try await host(device).device.connectionFaults
    }

    /// Performs an act on a device.
    ///
    /// - Throws: ``ControlError`` for a device that does not run, and for a refused act.
    package func perform(_ act: DeviceAct, on device: String) async throws(ControlError) {
        let result = await (try host(device)).perform(act)
        if let reason = result.reason { throw ControlError(description: reason, isNameTaken: false) }
    }

    private func host(_ device: String) async throws(ControlError) -> DeviceHost {
        do {
            return try await fleet.device(device).host
        } catch {
            throw ControlError(description: error.message, isNameTaken: false)
        }
    }

    /// Switches all devices off, ends event streams and waiting requests, and closes the port.
    package func stop() async {
        heartbeat.cancel()
        await fleet.stopAll()
        journal.close()
        await sockets.stop()
        await running.stop()
    }

    /// The OpenAPI 3.1 document of the server, without starting one.
    package static func openAPIDocument(_ configuration: ControlConfiguration) throws -> [UInt8] {
        let journal = EventJournal(capacity: 1)
        let operations = ControlOperations(
            configuration: configuration, fleet: Fleet(configuration: configuration, journal: journal),
            journal: journal, tokens: AccessTokens(configuration.token, time: configuration.clock),
            sockets: RequestSockets(time: configuration.clock, logger: configuration.logger))
        return Array(try OpenAPIDocument.json(of: operations.all).indented().utf8)
    }
}
