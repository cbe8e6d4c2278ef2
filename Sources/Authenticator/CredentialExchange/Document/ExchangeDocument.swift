/// A document of the FIDO Alliance's Credential Exchange Format 1.0 (Proposed Standard of 2025-08-14, with the errata of
/// 2026-03-09): the accounts of a credential provider with their passkeys.
///
/// Other credentials, such as passwords, are not part of the model; ``ExchangeReading/others`` counts them.
package struct ExchangeDocument: Sendable {
    /// The version of the format (§3.1.1).
    package var version: Version
    /// The exporting provider's RP ID, such as `passwords.google.com`.
    package var exporterRelyingPartyID: String
    /// The exporting provider's name, for the user.
    package var exporterDisplayName: String
    /// The completion of the export, in seconds since the Unix epoch.
    package var timestamp: Int
    package var accounts: [ExchangeAccount]

    package init(
        version: Version = .current, exporterRelyingPartyID: String, exporterDisplayName: String, timestamp: Int,
        accounts: [ExchangeAccount]
    ) {
        self.version = version
        self.exporterRelyingPartyID = exporterRelyingPartyID
        self.exporterDisplayName = exporterDisplayName
        self.timestamp = timestamp
        self.accounts = accounts
    }

    /// A version: another `major` is incompatible, a larger `minor` only adds members.
    package struct Version: Hashable, Sendable {
        package var major: Int
        package var minor: Int

        package init(major: Int, minor: Int) { (self.major, self.minor) = (major, minor) }

        package static let current = Version(major: 1, minor: 0)
    }

    /// The passkeys of all accounts, in the document's order.
    package var passkeys: [ExchangePasskey] { accounts.flatMap(\.items).flatMap(\.passkeys) }
}

/// A user's account at the exporting provider (§3.2.1).
package struct ExchangeAccount: Sendable {
    /// 1 to 64 bytes that the provider made.
    package var id: [UInt8]
    /// The user's name for the account; empty for none.
    package var username: String
    package var email: String
    package var items: [ExchangeItem]

    package init(id: [UInt8], username: String = "", email: String = "", items: [ExchangeItem]) {
        self.id = id
        self.username = username
        self.email = email
        self.items = items
    }
}

/// An entry of an account, with its credentials (§3.2.3).
package struct ExchangeItem: Sendable {
    /// 1 to 64 bytes that the provider made.
    package var id: [UInt8]
    /// In seconds since the Unix epoch; nil for an unknown time.
    package var creationAt: Int?
    /// In seconds since the Unix epoch; nil for an unknown time.
    package var modifiedAt: Int?
    package var title: String
    package var subtitle: String?
    /// The addresses of the item's scope, which does not apply to passkeys; empty for no scope.
    package var scopeURLs: [String]
    package var passkeys: [ExchangePasskey]

    package init(
        id: [UInt8], creationAt: Int? = nil, modifiedAt: Int? = nil, title: String, subtitle: String? = nil,
        scopeURLs: [String] = [], passkeys: [ExchangePasskey]
    ) {
        self.id = id
        self.creationAt = creationAt
        self.modifiedAt = modifiedAt
        self.title = title
        self.subtitle = subtitle
        self.scopeURLs = scopeURLs
        self.passkeys = passkeys
    }
}
