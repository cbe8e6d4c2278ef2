package import RelyingPartyServer

/// The settings of the services that a test changes.
package struct ServiceSettings: Hashable, Sendable {
    /// The services with an outage or slowness.
    package var availability: [ServiceName: ServiceAvailability] = [:]
    /// The behaviour of the OpenID providers.
    package var providers: [OpenIDProviderName: OpenIDProviderSettings] = [:]
    package var gateway = GatewaySettings()
    package var mailbox = MailboxSettings()
    /// The settings of the Authsignal-like service.
    package var authsignal = AuthsignalSettings()
    /// The settings of the Cognito-like service.
    package var cognito = CognitoSettings()
    /// The state of the files that tie the app to its domain.
    package var wellKnown = WellKnownState.served

    package init() {}

    /// A provider's behaviour.
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
    /// Services without trouble.
    package convenience init() { self.init(ServiceSettings()) }
}
