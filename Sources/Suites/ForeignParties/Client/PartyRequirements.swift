/// The values that a step requests of a ceremony; nil leaves one to the relying party.
package struct PartyRequirements: Sendable {
    /// The account named at sign-in.
    package var account: String?
    package var userVerification: String?
    package var residentKey: String?
    package var attestation: String?

    package init(account: String? = nil) { self.account = account }

    /// The requested values, by the placeholder that passes them on.
    var values: [PartyPlaceholder: String] {
        var values: [PartyPlaceholder: String] = [:]
        values[.userVerification] = userVerification
        values[.residentKey] = residentKey
        values[.attestation] = attestation
        return values
    }
}

extension ForeignParty {
    /// The placeholder that a requested value needs and that the request which begins a ceremony lacks; nil for none.
    package func missingPlaceholder(for requirements: PartyRequirements, in ceremony: PartyCeremony)
        -> PartyPlaceholder?
    {
        let needed = requirements.values.keys.sorted { $0.rawValue < $1.rawValue }
        if let missing = needed.first(where: { !ceremony.begin.mentions($0) }) { return missing }
        guard requirements.account != nil else { return nil }
        return [.account, .namedAccount].contains(where: ceremony.begin.mentions) ? nil : .namedAccount
    }
}
