internal import Documents
internal import VirtualAuthenticator

/// What a passkey provider does with documents of the Credential Exchange Format.
///
/// The format decides the rest: a passkey that counts signatures is not exported, and an imported one stays at 0. An
/// imported passkey signs with the importing device's transports and backup state; its AAGUID never reaches the relying
/// party.
package struct PasskeyExchange: Hashable, Sendable {
    /// The exporting provider's RP ID in the document; nil for a provider that exports nothing.
    package internal(set) var exporterRelyingPartyID: String?
    /// The exporting provider's name in the document; nil means the profile's title.
    package internal(set) var exporterName: String?
    /// Whether it imports passkeys.
    package internal(set) var imports = true
    /// Whether the secrets of hmac-secret and prf travel, in both directions.
    package internal(set) var keepsSecrets = true
    /// Whether large blobs travel, in both directions.
    package internal(set) var keepsLargeBlobs = true
}

extension PasskeyExchange {
    private typealias Key = DocumentKey<PasskeyExchange>

    static let form: Form<PasskeyExchange> = .mapping(section, from: PasskeyExchange())

    private static let section: DocumentSection<PasskeyExchange> = DocumentSection {
        Key(
            "exporter-rp-id", \.exporterRelyingPartyID, .line,
            "The provider's RP ID in its documents, such as passwords.google.com; without it, the provider exports nothing."
        )
        Key("exporter-name", \.exporterName, .line, "The provider's name in its documents; default: the title.")
        Key("imports", \.imports, .flag, "Whether the provider imports passkeys; default: true.")
        Key(
            "prf", \.keepsSecrets, kept,
            "Whether the secrets of hmac-secret and prf are exported and imported; default: kept.")
        Key(
            "large-blob", \.keepsLargeBlobs, kept,
            "Whether large blobs are exported and imported; default: kept.")
    } check: { exchange, fields in
        guard exchange.exporterName == nil || exchange.exporterRelyingPartyID != nil else {
            throw (fields["exporter-name"] ?? fields.owner).error(
                "has no effect without exporter-rp-id; add exporter-rp-id, or remove this key")
        }
    }

    private static let kept: Form<Bool> = .named([("kept", true), ("dropped", false)])
}

extension DeviceProfile {
    /// The rules for documents of passkeys; nil for a device that neither exports nor imports them, as one with
    /// device-bound passkeys.
    package var exchange: PasskeyExchange? {
        authenticator.isPlatform && authenticator.isBackupEligible ? passkeyExchange : nil
    }
}
