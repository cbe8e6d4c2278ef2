internal import Providers
internal import ReferenceApp

/// The services of the reference app.
extension Site {
    /// The number of requests that the OpenID providers received.
    nonisolated var providerRequests: Int {
        services.journal.count(.bankid) + services.journal.count(.vipps)
    }

    /// Makes the user with a role the one who logs in at the providers.
    nonisolated func logIn(_ role: AppRole) {
        services.conditions.change { settings in
            for provider in OpenIDProviderName.allCases { settings[provider].resident = role.resident }
        }
    }
}

extension AppRole {
    /// The resident whom the member system gives the role.
    fileprivate var resident: Resident {
        switch self {
        case .member: .kari
        case .leader: .ola
        case .administrator: .ingrid
        }
    }
}
