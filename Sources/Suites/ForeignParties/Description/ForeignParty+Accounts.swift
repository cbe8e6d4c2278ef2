extension ForeignParty {
    /// Whether ceremonies belong to accounts that a client can make: a request makes one, or names one.
    package var hasAccounts: Bool { !account.isEmpty || registration.begin.mentions(.account) }
}
