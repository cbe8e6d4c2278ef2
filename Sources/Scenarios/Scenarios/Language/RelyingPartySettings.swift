internal import Documents
internal import RelyingParty
internal import RelyingPartyServer
internal import WebAuthn

/// The policies of a scenario's relying party; each has the relying party's default until it is declared.
package struct RelyingPartySettings: Sendable {
    /// Where they are declared; nil where they are not.
    var place: SourcePlace?
    var places: [Key: SourcePlace] = [:]
    var roaming: Bool?
    var level: WebAuthnLevel?
    var signInVerification: UserVerificationRequirement?
    var maximumPasskeys: Int?
    var removal: RemovalGuard?
    var origins: [String] = []
}

extension RelyingPartySettings {
    enum Key: String, CaseIterable, Sendable {
        case roaming, level
        case userVerification = "user-verification"
        case mostPasskeys = "most-passkeys"
        case removal, origins
    }

    static let form = Form.mapping(
        DocumentSection<RelyingPartySettings> {
            DocumentKey(
                Key.roaming.rawValue, \.roaming, .flag, "Whether security keys may be registered; default: true.")
            DocumentKey(Key.level.rawValue, \.level, .choice, "The level of WebAuthn that is verified; default: 3.")
            DocumentKey(
                Key.userVerification.rawValue, \.signInVerification, .choice,
                "The requirement at sign-in; default: preferred.")
            DocumentKey(
                Key.mostPasskeys.rawValue, \.maximumPasskeys, .number(1...1000),
                "The number of passkeys that an account may have; default: 20.")
            DocumentKey(
                Key.removal.rawValue, \.removal, .choice,
                "The precondition for the removal of a passkey: an assertion, or only the app's own check; default: assertion."
            )
            DocumentKey(
                Key.origins.rawValue, \.origins, .list(of: .origin).nonEmpty,
                "Further origins that it accepts, such as android:apk-key-hash:… of its app.")
        } check: { settings, fields in
            settings.place = fields.owner.source
            for key in Key.allCases { settings.places[key] = fields[key.rawValue]?.source }
        }, from: RelyingPartySettings()
    ).nonEmpty

    func apply(to configuration: inout RelyingPartyConfiguration) {
        if let roaming { configuration.roamingAllowed = roaming }
        if let level { configuration.level = level }
        if let signInVerification { configuration.userVerification.signIn = signInVerification }
        configuration.origins = (configuration.origins ?? []) + origins
        if let removal { configuration.removal = removal }
        if let maximumPasskeys { configuration.maximumPasskeys = maximumPasskeys }
    }
}
