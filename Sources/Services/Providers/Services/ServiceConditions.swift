package import RelyingPartyServer

/// The settings of the services that a test changes.
package struct ServiceSettings: Hashable, ConditionSettings {
    /// A setting that changed an answer.
    package enum Effect: Hashable, Sendable {
        case availability(ServiceName)
        case fault(OpenIDProviderName)
        case nationalID(OpenIDProviderName)
        case resident(OpenIDProviderName)
        case accessLifetime, sessionLifetime, inactivityLimit, biometrics
        case rule(Organisation)
        case mailbox
        case wellKnown
    }

    package var availability: [ServiceName: ServiceAvailability] = [:]
    package var providers: [OpenIDProviderName: OpenIDProviderSettings] = [:]
    package var gateway = GatewaySettings()
    package var mailbox = MailboxSettings()
    package var authsignal = AuthsignalSettings()
    package var cognito = CognitoSettings()
    package var wellKnown = WellKnownState.served

    package init() {}

    package subscript(provider: OpenIDProviderName) -> OpenIDProviderSettings {
        get { providers[provider] ?? OpenIDProviderSettings() }
        set { providers[provider] = newValue }
    }

    package subscript(service: ServiceName) -> ServiceAvailability {
        get { availability[service] ?? ServiceAvailability() }
        set { availability[service] = newValue }
    }
}

/// The settings of running services.
package typealias ServiceConditions = Conditions<ServiceSettings>

extension ServiceConditions {
    package convenience init() { self.init(ServiceSettings()) }
}
