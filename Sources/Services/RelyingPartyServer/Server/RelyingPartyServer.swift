internal import GRDB
internal import Hummingbird
internal import Logging
internal import LoopbackHTTP
internal import NIOCore

/// A listening relying party over HTTP, with its state in SQLite.
///
/// ```swift
/// let server = try await RelyingPartyServer.start()
/// // … talk to server.baseURL …
/// await server.stop()
/// ```
package struct RelyingPartyServer: Sendable {
    package static let api = "/api/v1/auth"

    let service: AuthService
    private let running: RunningServer

    /// Starts a relying party server in this process; returns when it is listening.
    ///
    /// - Throws: the error of opening the database or binding the port.
    package static func start(_ configuration: RelyingPartyConfiguration = RelyingPartyConfiguration()) async throws
        -> RelyingPartyServer
    {
        let service = try AuthService(
            configuration: configuration,
            database: try RelyingPartyDatabase.open(
                path: configuration.databasePath, services: configuration.services.map(\.migrator)),
            origins: AcceptedOrigins(own: configuration.origins, related: configuration.relatedOrigins))
        do {
            let running = try await RunningServer.start(logger: configuration.logger, service.application)
            return RelyingPartyServer(service: service, running: running)
        } catch {
            service.closeDatabase()
            throw error
        }
    }

    package var port: Int { running.port }

    /// The base URL, such as `http://localhost:8080`.
    package var baseURL: String { service.configuration.baseURL(port: port) }

    /// Finishes running requests, and closes the port and the database; a second call has no effect.
    package func stop() async {
        await running.stop()
        service.closeDatabase()
    }
}

extension AuthService {
    /// The HTTP server, which reports its port before it accepts the first request.
    fileprivate func application(onListening: @escaping @Sendable (Int) -> Void) throws -> some ApplicationProtocol {
        let router = Router(context: RouteTable.Context.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: OriginSharing(sharesCookies: true) { [origins] in origins.all.contains($0) })
        router.add(middleware: ErrorMiddleware(translate: APIError.init(storage:)))
        router.add(middleware: SiteGuard(origins: origins, isLoopback: Loopback.isHost(configuration.host)))
        router.add(middleware: TroubleMiddleware(conditions: configuration.conditions, pass: configuration.pass))
        let services = try servicesRoutes()
        services.register(on: router)
        var routes = RouteTable()
        let accounts = AccountRoutes(service: self)
        accounts.add(to: &routes)
        PasskeyRoutes(service: self, accounts: accounts).add(to: &routes)
        SiteRoutes(service: self).add(to: &routes)
        routes.remove(services)
        routes.register(on: router)
        return Application(
            router: router,
            server: .loopback,
            configuration: .loopback(
                .hostname(configuration.host, port: configuration.port), logger: configuration.logger),
            onServerRunning: { channel in
                guard let port = channel.localAddress?.port else { return }
                listeningPort.set(port)
                if origins.isComputed { origins.set([configuration.baseURL(port: port)]) }
                onListening(port)
            },
            logger: configuration.logger)
    }

    private func servicesRoutes() throws -> RouteTable {
        var routes = RouteTable()
        for service in configuration.services { try service.add(to: &routes, of: RelyingPartySite(service: self)) }
        return routes
    }

    fileprivate func closeDatabase() {
        do {
            try database.closeTidily()
        } catch {
            configuration.logger.error("the database did not close", metadata: ["error": "\(error)"])
        }
    }
}

extension RelyingPartyConfiguration {
    /// The URL for clients; passkeys need the name `localhost`, not an address.
    func baseURL(port: Int) -> String {
        "http://\(Loopback.isHost(host) ? "localhost" : host):\(port)"
    }
}
