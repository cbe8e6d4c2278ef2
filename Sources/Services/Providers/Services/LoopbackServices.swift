internal import GRDB
package import Harness
package import LoopbackHTTP

/// The services that an app uses beside its relying party, on the harness's server.
///
/// They outlast a restart of the harness, as a provider outlasts a restart of its customer.
package final class LoopbackServices: HarnessService {
    /// The behaviour of the services.
    package let conditions: ServiceConditions
    /// The requests that the services received.
    package let journal = ServiceJournal()

    private let app: AppRegistration
    private let grants = OpenIDProviderName.allCases.map { ($0, OpenIDGrants()) }
    private let keys = Dictionary(uniqueKeysWithValues: OpenIDProviderName.allCases.map { ($0, OpenIDKeyCache()) })

    package init(app: AppRegistration = AppRegistration(), conditions: ServiceConditions = ServiceConditions()) {
        self.app = app
        self.conditions = conditions
    }

    package func add(to routes: inout RouteTable, of site: HarnessSite) throws {
        try GatewaySchema.migrator.migrate(site.database)
        let door = ServiceDoor(conditions: conditions, journal: journal, configuration: site.configuration)
        let pages = try PageLibrary.shared.get()
        pages.add(to: &routes)
        for (name, grants) in grants {
            OpenIDProvider(name: name, site: site, app: app, conditions: conditions, grants: grants, pages: pages)
                .add(to: &routes, through: door)
        }
        let gateway = Gateway(
            site: site, app: app, conditions: conditions, providers: keys, secret: ServiceSecret("gateway"))
        GatewayRoutes(gateway: gateway).add(to: &routes, through: door)
        MemberSystem(site: site).add(to: &routes, through: door)
    }
}

/// The app as the services know it.
package struct AppRegistration: Hashable, Sendable {
    /// The client identifier at the OpenID providers.
    package var clientID = "touchstone-app"
    /// The registered redirect URI, a universal link of the app.
    package var redirectURI = "https://app.touchstone.example/callback"

    package init() {}
}
