/// The services beside a relying party server; the raw value names each in scenarios, URLs and reports.
package enum ServiceName: String, CaseIterable, Hashable, Sendable, Codable {
    /// The BankID-like OpenID provider.
    case bankid
    /// The Vipps-like OpenID provider.
    case vipps
    /// The app's own backend.
    case gateway
    /// The member system of each organisation.
    case nordlysMembers = "nordlys-members"
    case havblikkMembers = "havblikk-members"
    case fjellheimMembers = "fjellheim-members"
    case mailbox
    /// The Authsignal-like e-mail and passkey calls.
    case authsignal
    /// The Cognito-like custom authentication.
    case cognito
    /// The files that tie the app to its domain.
    case wellKnown = "well-known"

    /// The names of its endpoints, as the journal and an outage of one endpoint name them.
    package var endpoints: [String] {
        switch self {
        case .bankid, .vipps: OpenIDProvider.Endpoint.allCases.map(\.rawValue)
        case .gateway: GatewayRoutes.Endpoint.allCases.map(\.rawValue)
        case .nordlysMembers, .havblikkMembers, .fjellheimMembers:
            MemberSystem.Endpoint.allCases.map(\.rawValue)
        case .mailbox: Mailbox.Endpoint.allCases.map(\.rawValue)
        case .authsignal: Authsignal.Endpoint.allCases.map(\.rawValue)
        case .cognito: Cognito.Operation.allCases.map(\.rawValue) + [Cognito.keys]
        case .wellKnown: WellKnownFiles.Endpoint.allCases.map(\.rawValue)
        }
    }
}
