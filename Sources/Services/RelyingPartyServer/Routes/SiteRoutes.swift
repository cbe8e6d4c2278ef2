internal import GRDB
internal import Hummingbird
internal import LoopbackHTTP

/// The endpoints outside the API.
struct SiteRoutes: Sendable {
    let service: AuthService

    func add(to routes: inout RouteTable) {
        routes.add(.get, "/healthz") { _, _ in
            _ = try await service.database.snapshot { db in try Int.fetchOne(db, sql: "SELECT 1") }
            return try Reply.json(["status": "ok"])
        }
        // Related origin requests (WebAuthn L3 §5.11.1).
        routes.add(.get, "/.well-known/webauthn") { _, _ in
            try Reply.json(["origins": service.origins.all])
        }
    }
}
