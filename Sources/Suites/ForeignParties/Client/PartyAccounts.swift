internal import Documents
internal import Synchronization

/// The accounts of a run at a relying party: those that the client makes, or those of the description, each for one name of
/// the run.
package final class PartyAccounts: Sendable {
    struct Account {
        let name: String
        let displayName: String
        let password: String
    }

    private let party: ForeignParty
    /// A short text that no other run has.
    package let tag: String
    /// The place of the existing account for each name of the run.
    private let taken = Mutex<[String: Int]>([:])

    /// - Parameter tag: a short text that no other run has, for account names.
    package init(_ party: ForeignParty, tag: String) { (self.party, self.tag) = (party, tag) }

    /// An account's name at the relying party: that of the existing account that stands for it; otherwise with the run's tag
    /// before the `@`, if names are made unique.
    func name(_ name: String) -> String {
        guard party.existingAccounts.isEmpty else { return existing(name)?.name ?? name }
        guard party.makesNamesUnique else { return name }
        guard let at = name.lastIndex(of: "@") else { return "\(name)-\(tag)" }
        return "\(name[..<at])-\(tag)\(name[at...])"
    }

    /// The account of a name of the run, without a claim to one that exists.
    func account(_ name: String, displayName: String? = nil, password: String? = nil) -> Account {
        if let existing = existing(name) { return Account(existing, password ?? ownPassword) }
        return Account(
            name: self.name(name), displayName: displayName ?? name, password: password ?? ownPassword)
    }

    /// The account for a new name of the run: the existing one with that name, otherwise the next one that has no name yet.
    ///
    /// - Parameter isShared: whether the names take turns where the existing accounts do not suffice.
    /// - Throws: ``PartyError`` where they do not suffice.
    func take(
        _ name: String, displayName: String?, password: String?, isShared: Bool
    ) throws(PartyError) -> Account {
        let count = party.existingAccounts.count
        guard count > 0 else { return account(name, displayName: displayName, password: password) }
        let place = taken.withLock { taken -> Int? in
            if let known = taken[name] { return known }
            let free = party.existingAccounts.indices.filter { !taken.values.contains($0) }
            let same = free.first { party.existingAccounts[$0].name == name }
            let place = same ?? free.first ?? (isShared ? taken.count % count : nil)
            taken[name] = place
            return place
        }
        guard let place else {
            let words = party.obstacle(toAccounts: count + 1) ?? "no account is free"
            let error = party.existingAccounts.first?.source?.error(words)
            throw .unexpected(error.map(\.description) ?? words)
        }
        return Account(party.existingAccounts[place], password ?? ownPassword)
    }

    private func existing(_ name: String) -> ExistingAccount? {
        let place = taken.withLock { $0[name] }
        return place.map { party.existingAccounts[$0] } ?? party.existingAccounts.first { $0.name == name }
    }

    /// A password that satisfies the usual rules, for an account that is made for a test.
    private var ownPassword: String { "Touchstone-\(tag)-1" }
}

extension PartyAccounts.Account {
    fileprivate init(_ existing: ExistingAccount, _ password: String) {
        self.init(
            name: existing.name, displayName: existing.displayName ?? existing.name,
            password: existing.password ?? password)
    }
}
