internal import Documents

extension ForeignParty {
    /// The reason why a run cannot have two accounts; nil where it can: a request makes one, or names one.
    package var obstacleToAccounts: String? {
        guard existingAccounts.isEmpty else {
            return existingAccounts.count > 1
                ? nil : "the description lists one account under existing-accounts, and two are needed"
        }
        return !account.isEmpty || registration.begin.mentions(.account)
            ? nil : "the description has no place for an account's name"
    }

    /// Whether its accounts exist, and a client can make no others.
    package var hasExistingAccounts: Bool { !existingAccounts.isEmpty }

    /// Whether a run chooses the name that is shown to the user.
    package var takesDisplayName: Bool {
        !hasExistingAccounts && (account + [registration.begin]).contains { $0.mentions(.displayName) }
    }

    /// The reason why a run cannot have a number of accounts; nil where it can.
    package func obstacle(toAccounts count: Int) -> String? {
        guard hasExistingAccounts, count > existingAccounts.count else { return nil }
        let words =
            existingAccounts.count == 1 ? "1 account is listed" : "\(existingAccounts.count) accounts are listed"
        return "\(words) under existing-accounts, and the run needs \(count); add one"
    }

    /// Checks that existing accounts have an effect, and that requests have all of their values.
    func checkExistingAccounts(_ fields: YAMLFields, _ requests: [PartyRequest]) throws(SourceError) {
        let namesAccount = requests.contains { $0.mentions(.account) || $0.mentions(.namedAccount) }
        guard let list = fields["existing-accounts"] else {
            guard let unique = fields["unique-names"], !namesAccount else { return }
            throw unique.error("no request names an account; write {account} into one, or remove unique-names")
        }
        if let unique = fields["unique-names"] {
            throw unique.error("existing accounts keep their names; remove unique-names")
        }
        guard namesAccount else {
            throw list.error(
                "no request names an account; write {account} into the requests under account, or into the one that "
                    + "begins the registration")
        }
        let sendsPassword = requests.contains { $0.mentions(.password) }
        let sendsDisplayName = requests.contains { $0.mentions(.displayName) }
        var names: Set<String> = []
        for account in existingAccounts {
            let problem: String? =
                if !names.insert(account.name).inserted {
                    "\(account.name) is listed twice; keep one"
                } else if account.password == nil, sendsPassword {
                    "a request sends {password}; add the password of \(account.name)"
                } else if account.password != nil, !sendsPassword {
                    "no request sends the password; write {password} into one, or remove the password"
                } else if account.displayName != nil, !sendsDisplayName {
                    "no request sends the display name; write {display-name} into one, or remove it"
                } else {
                    nil
                }
            if let problem { throw account.source?.error(problem) ?? list.error(problem) }
        }
    }
}
