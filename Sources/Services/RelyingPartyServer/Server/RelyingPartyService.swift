package import GRDB
package import LoopbackHTTP

/// Further endpoints on a relying party's server, such as an app's backend and the providers it signs in with.
package protocol RelyingPartyService: Sendable {
    /// The migrations of the service's tables in the server's database.
    var migrator: DatabaseMigrator { get }

    /// Adds the service's endpoints; called at each start of the server, after its tables are made.
    func add(to routes: inout RouteTable, of site: RelyingPartySite) throws
}

/// A relying party server, as a further service on its server sees it.
package struct RelyingPartySite: Sendable {
    let service: AuthService

    /// The server's configuration, with the clock and the randomness that its services share.
    package var configuration: RelyingPartyConfiguration { service.configuration }

    /// The database; a service keeps to tables of its own.
    package var database: any DatabaseWriter { service.database }

    /// The base URL, such as `http://localhost:8080`; known once the port is bound, before the first request.
    package var baseURL: String { configuration.baseURL(port: port) }

    /// The accepted origins, with the related ones.
    package var origins: [String] { service.origins.all }

    /// The port; 0 until it is bound.
    package var port: Int { service.listeningPort.number ?? 0 }

    /// The secret with this name, created at its first use.
    package func secret(_ name: String) throws -> [UInt8] {
        try RelyingPartyDatabase.secret(name, in: database, random: configuration.random)
    }
}
