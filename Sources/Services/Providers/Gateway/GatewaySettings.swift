/// The gateway's settings that a test changes.
package struct GatewaySettings: Hashable, Sendable {
    package var accessLifetime = Duration.seconds(3600)
    /// The lifetime of a session, however often it is refreshed.
    package var sessionLifetime = Duration.seconds(30 * 24 * 3600)
    /// The time without a refresh that ends a session; nil for none.
    package var inactivityLimit: Duration?
    package var biometrics: BiometricsRule = .allowed
    /// The rules of organisations that differ from ``biometrics``.
    package var organisationBiometrics: [Organisation: BiometricsRule] = [:]

    /// The time after a refresh in which the refreshed token may be used again.
    package static let reuseInterval = Duration.seconds(10)

    package init() {}
}

/// An organisation's rule about biometric login in its app.
package enum BiometricsRule: String, CaseIterable, Hashable, Sendable, Codable {
    case allowed, forbidden, required
}
