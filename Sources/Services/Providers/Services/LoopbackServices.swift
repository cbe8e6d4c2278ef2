package import GRDB
package import LoopbackHTTP
package import RelyingPartyServer
internal import Synchronization

/// The services that an app uses beside its relying party, on the same server.
///
/// They outlast a restart of the server, as a provider outlasts a restart of its customer.
package final class LoopbackServices: RelyingPartyService {
    package let conditions = ServiceConditions()
    package let journal = ServiceJournal()

    private let app = AppRegistration()
    private let current = Mutex<RelyingPartySite?>(nil)
    private let grants = OpenIDProviderName.allCases.map { ($0, OpenIDGrants()) }
    private let cognitoSessions = CognitoSessions()
    private let webLogins = WebLoginAttempts()
    private let keys = Dictionary(uniqueKeysWithValues: OpenIDProviderName.allCases.map { ($0, OpenIDKeyCache()) })

    package init() {}

    package static let tables = (try? TableCount.names(services: [GatewaySchema.migrator])) ?? []

    /// The gateway of the running server; nil before its first start.
    var gateway: Gateway? { site.map { makeGateway(of: $0) } }

    private func makeGateway(of site: RelyingPartySite) -> Gateway {
        Gateway(site: site, app: app, conditions: conditions, providers: keys, secret: ServiceSecret("gateway"))
    }

    /// The running server; nil before its first start.
    var site: RelyingPartySite? { current.withLock { $0 } }

    package var migrator: DatabaseMigrator { GatewaySchema.migrator }

    package func add(to routes: inout RouteTable, of site: RelyingPartySite) throws {
        current.withLock { $0 = site }
        let door = ServiceDoor(conditions: conditions, journal: journal, configuration: site.configuration)
        let pages = try PageLibrary.shared.get()
        pages.add(to: &routes)
        PeoplePages(library: pages).add(to: &routes)
        for (name, grants) in grants {
            OpenIDProvider(name: name, site: site, app: app, conditions: conditions, grants: grants, pages: pages)
                .add(to: &routes, through: door)
        }
        let gateway = makeGateway(of: site)
        GatewayRoutes(gateway: gateway).add(to: &routes, through: door)
        WebLogin(site: site, gateway: gateway, attempts: webLogins).add(to: &routes)
        for organisation in Organisation.allCases {
            MemberSystem(site: site, organisation: organisation).add(to: &routes, through: door)
        }
        MemberAudit(site: site).add(to: &routes)
        let mailbox = Mailbox(site: site, conditions: conditions)
        mailbox.add(to: &routes, through: door)
        let authsignal = Authsignal(
            site: site,
            tokens: AuthsignalTokens(site: site, conditions: conditions, secret: ServiceSecret("authsignal")),
            mailbox: mailbox, gateway: gateway)
        authsignal.add(to: &routes, through: door)
        AddressProof(gateway: gateway, authsignal: authsignal).add(to: &routes, through: door)
        PasswordReset(gateway: gateway, authsignal: authsignal).add(to: &routes, through: door)
        Cognito(site: site, gateway: gateway, authsignal: authsignal, sessions: cognitoSessions)
            .add(to: &routes, through: door)
        WellKnownFiles(site: site, app: app, conditions: conditions).add(to: &routes, through: door)
    }
}

/// The app as the services know it.
package struct AppRegistration: Hashable, Sendable {
    /// The client identifier at the OpenID providers.
    package var clientID = "touchstone-app"
    /// The registered redirect URI, a universal link of the app.
    package var redirectURI = "https://app.touchstone.example/callback"
    /// The team and bundle identifier on iOS.
    package var appleAppID = "TOUCH12345.example.touchstone.app"
    package var androidPackage = "example.touchstone.app"
    /// The SHA-256 fingerprint of the certificate that signs the Android app.
    package var androidFingerprint = (0..<32).map {
        String(0x100 + $0 * 7 % 256, radix: 16, uppercase: true).dropFirst()
    }
    .joined(separator: ":")

    package init() {}
}
