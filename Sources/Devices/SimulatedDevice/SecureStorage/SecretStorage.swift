/// The storage of a device's state outside its authenticator: the apps' secrets, the vault with their keys, and the
/// device's ``LifeState``.
package protocol SecretStorage: Sendable {
    /// Writes a change atomically, and returns when it is durable.
    func commit(_ change: SecretChange) throws
}

/// The ID of an app's item.
package struct SecretID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    package let app: String
    package let name: String

    package static let defaultApp = "app"

    package init(_ name: String, app: String = defaultApp) {
        self.app = app
        self.name = name
    }

    package init(stringLiteral name: String) { self.init(name) }

    package static func < (first: SecretID, second: SecretID) -> Bool {
        (first.app, first.name) < (second.app, second.name)
    }
}

extension SecretID: CustomStringConvertible {
    /// The name, prefixed with the app unless that is the default app.
    package var description: String { app == Self.defaultApp ? name : "\(app)/\(name)" }
}

/// A change of the state outside the authenticator.
package struct SecretChange: Hashable, Sendable {
    /// Whether the stored state is erased first.
    package var erasesEverything = false
    /// Items to add or replace, in the form of ``StoredDevice/secrets``.
    package var items: [SecretID: [UInt8]] = [:]
    package var removedItems: Set<SecretID> = []
    /// Keys to add or replace, in the form of ``StoredDevice/vault``.
    package var keys: [SecretID: [UInt8]] = [:]
    package var destroyedKeys: Set<SecretID> = []
    /// A new ``StoredDevice/life``.
    package var life: [UInt8]?

    package init() {}
}
