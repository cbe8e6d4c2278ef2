/// Where a device keeps what is not its authenticator's when its process ends: its apps' secrets, the vault with the
/// keys they are sealed under, and how far its life has come.
package protocol SecretStorage: Sendable {
    /// Writes a change, all of it or nothing, and returns when that is safe.
    func commit(_ change: SecretChange) throws
}

/// Which item of which app.
package struct SecretID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    /// The app whose item it is.
    package let app: String
    /// What the app calls it.
    package let name: String

    /// The app that is meant where none is named.
    package static let defaultApp = "app"

    package init(_ name: String, app: String = defaultApp) {
        self.app = app
        self.name = name
    }

    /// An item of the app that is meant where none is named.
    package init(stringLiteral name: String) { self.init(name) }

    package static func < (first: SecretID, second: SecretID) -> Bool {
        (first.app, first.name) < (second.app, second.name)
    }
}

extension SecretID: CustomStringConvertible {
    /// The name alone, or with the app before it where that is not the one meant anyway.
    package var description: String { app == Self.defaultApp ? name : "\(app)/\(name)" }
}

/// What changed beside the authenticator.
package struct SecretChange: Hashable, Sendable {
    /// Whether everything kept before is to go first.
    package var erasesEverything = false
    /// Items to add or replace, as ``StoredDevice/secrets`` has them.
    package var items: [SecretID: [UInt8]] = [:]
    /// Items to remove.
    package var removedItems: Set<SecretID> = []
    /// Keys to add or replace, as ``StoredDevice/vault`` has them.
    package var keys: [SecretID: [UInt8]] = [:]
    /// Keys to destroy.
    package var destroyedKeys: Set<SecretID> = []
    /// A new ``StoredDevice/life``.
    package var life: [UInt8]?

    package init() {}
}
