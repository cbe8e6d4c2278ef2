internal import GRDB
internal import Hummingbird
internal import Logging
internal import LoopbackHTTP
internal import NIOCore

/// Puts the database, the service and the routes together.
struct HarnessServer: Sendable {
    let configuration: HarnessConfiguration
    let database: any DatabaseWriter
    let service: AuthService

    init(configuration: HarnessConfiguration) throws {
        self.configuration = configuration
        database = try HarnessDatabase.open(path: configuration.databasePath)
        service = try AuthService(
            configuration: configuration, database: database,
            origins: AcceptedOrigins(own: configuration.origins, related: configuration.relatedOrigins))
    }

    /// The HTTP server, which tells its port before it takes the first request.
    func application(onListening: @escaping @Sendable (Int) -> Void) -> some ApplicationProtocol {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: ErrorMiddleware())
        router.add(
            middleware: SiteGuard(origins: service.origins, isLoopback: Loopback.isHost(configuration.host)))
        var routes = RouteTable()
        let accounts = AccountRoutes(service: service)
        accounts.add(to: &routes)
        PasskeyRoutes(service: service, accounts: accounts).add(to: &routes)
        SiteRoutes(service: service).add(to: &routes)
        routes.register(on: router)
        return Application(
            router: router,
            server: .loopback,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port)),
            onServerRunning: { channel in
                guard let port = channel.localAddress?.port else { return }
                if service.origins.isComputed { service.origins.set([baseURL(port: port)]) }
                onListening(port)
            },
            logger: configuration.logger)
    }

    /// The server's URL for clients; passkeys need the name `localhost`, not an address.
    func baseURL(port: Int) -> String {
        "http://\(Loopback.isHost(configuration.host) ? "localhost" : configuration.host):\(port)"
    }

    func close() {
        do {
            try database.close()
        } catch {
            configuration.logger.error("the database did not close", metadata: ["error": "\(error)"])
        }
    }
}

extension AuthService {
    /// Checks that the database responds.
    func checkHealth() async throws {
        _ = try await database.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
    }
}
