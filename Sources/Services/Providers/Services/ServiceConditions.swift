internal import Synchronization

/// The settings of the services that a test changes.
package struct ServiceSettings: Hashable, Sendable {
    /// The services with an outage or slowness.
    package var availability: [ServiceName: ServiceAvailability] = [:]
    /// The behaviour of the OpenID providers.
    package var providers: [OpenIDProviderName: OpenIDProviderSettings] = [:]
    /// The gateway's settings.
    package var gateway = GatewaySettings()
    /// The mailbox's settings.
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

    /// A service's availability.
    package subscript(service: ServiceName) -> ServiceAvailability {
        get { availability[service] ?? ServiceAvailability() }
        set { availability[service] = newValue }
    }
}

/// The settings of running services, which can change at any time.
package final class ServiceConditions: Sendable {
    private let settings: Mutex<ServiceSettings>

    package init(_ settings: ServiceSettings = ServiceSettings()) {
        self.settings = Mutex(settings)
    }

    /// The settings of coming requests.
    package var current: ServiceSettings { settings.withLock { $0 } }

    /// Changes the settings of coming requests.
    ///
    /// - Returns: the settings after the change.
    @discardableResult
    package func change(_ edit: (inout ServiceSettings) -> Void) -> ServiceSettings {
        settings.withLock { settings in
            edit(&settings)
            return settings
        }
    }
}
