internal import Providers
internal import ReferenceApp
internal import RelyingPartyServer

/// The services of the reference app.
extension Site {
    /// Makes the user with a role the one who logs in at the providers.
    nonisolated func setResident(of role: AppRole) {
        services.conditions.change { settings in
            for provider in OpenIDProviderName.allCases { settings[provider].resident = role.resident }
        }
    }
}

extension AppRole {
    /// The resident whom the member system gives the role.
    fileprivate var resident: Resident {
        switch self {
        case .peerMentor: .kari
        case .coordinator: .ola
        case .organizationAdministrator: .ingrid
        }
    }
}
