/// A row of a list on a screen, with buttons of its own.
package struct AppRow: Hashable, Sendable {
    package let title: String
    package let details: String
    package let buttons: [AppButton]
}

extension ReferenceApp {
    /// The rows of the screen's list; a button of a row acts on that row.
    package var rows: [AppRow] {
        if screen == .people { return people.map { AppRow(title: $0.name, details: $0.role.title, buttons: []) } }
        guard screen == .passkeySettings else { return [] }
        return passkeys.map { AppRow(title: $0.name, details: $0.details, buttons: [.removePasskey]) }
    }
}

extension Passkey {
    /// The name of its device or provider, as the server knows it.
    var name: String { deviceName ?? "Passkey" }

    /// The dates of its creation and its last use.
    var details: String {
        let added = createdAt.map { "added \($0.prefix(10))" }
        let used = lastUsedAt.map { "last used \($0.prefix(10))" } ?? "never used"
        return [added, used].compactMap { $0 }.joined(separator: ", ")
    }
}
