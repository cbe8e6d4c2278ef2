internal import Documents
internal import RelyingPartyServer

/// The parts of a description that not every relying party has.
extension PartyCheck {
    /// Lists the account's passkeys; nil where the list cannot be read.
    func passkeys(_ note: Note) async throws -> [String]? {
        guard let passkeys = party.passkeys else {
            note(.passkeys, .skipped, "the description has no passkeys")
            return nil
        }
        do {
            guard let ids = try await session.passkeys(passkeys, userAgent: userAgent) else {
                note(.passkeys, .fails, refusal)
                return nil
            }
            let isEmpty = ids.isEmpty
            note(
                .passkeys, isEmpty ? .fails : .works,
                isEmpty ? "\(last) lists none, although one is registered" : "\(last) lists \(ids.count)")
            return isEmpty ? nil : ids
        } catch {
            note(.passkeys, .fails, try Self.words(error))
            return nil
        }
    }

    func csrf(_ note: Note) {
        guard party.csrf != nil else { return note(.csrf, .skipped, "the description has no csrf") }
        let isSent = session.hasSentToken
        note(
            .csrf, isSent ? .works : .fails, isSent ? "requests send the token" : "no answer has a token at this place")
    }

    /// Ends the session, and checks that the relying party no longer knows the user.
    ///
    /// - Parameter isKnown: whether it named the user before.
    func signOut(_ note: Note, isKnown: Bool) async throws {
        defer { session.forget() }
        do {
            guard let hasEnded = try await session.endSession(userAgent: userAgent) else {
                return note(.signOut, .skipped, "the description has no sign-out; the check forgets the cookies")
            }
            let line = last
            guard hasEnded else { return note(.signOut, .fails, refusal) }
            if isKnown, party.identity?.request != nil {
                // Some sites answer a signed-out user with a page, which has no name.
                let seen = try? await session.identity(userAgent: userAgent)
                guard seen != session.accountName(Self.account) else {
                    return note(.signOut, .fails, "\(line), and \(last) still names the user")
                }
            }
            note(.signOut, .works, line)
        } catch {
            note(.signOut, .fails, try Self.words(error))
        }
    }

    /// Looks for the error in the last refusal.
    func error(_ note: Note, in answer: RelyingPartyExchange?) {
        guard let pointer = party.error else { return note(.error, .skipped, "the description has no error") }
        guard let exchange = answer, !exchange.isSuccess else {
            return note(.error, .skipped, "the relying party has refused nothing")
        }
        let stated = (try? JSONValue(parsing: exchange.body))?.value(at: pointer).map(PartyTemplate.words)
        note(
            .error, stated == nil ? .fails : .works,
            stated.map { "\($0) at \(pointer)" } ?? "\(exchange.line) has nothing at \(pointer)")
    }

    /// Deletes a passkey of the check, and looks for it in the list.
    ///
    /// A relying party may keep an account's last passkey, and an account that exists may have others, so that the check
    /// registers another one.
    ///
    /// - Parameters:
    ///   - listed: the passkeys before; nil where the list cannot be read.
    ///   - first: the ID of the check's first passkey.
    func deletePasskey(_ note: Note, of listed: [String]?, first: String?) async throws {
        let subject = Subject.deletedPasskey
        guard let passkeys = party.passkeys, let delete = passkeys.delete else {
            return note(subject, .skipped, "the description has no delete under passkeys")
        }
        guard let listed else { return note(subject, .skipped, "the list of passkeys cannot be read") }
        try await signInAgain(subject)
        // Without another passkey the first one is deleted.
        do {
            try await registerAnother()
        } catch {
            _ = try Self.words(error)
        }
        func list() async throws -> [String]? {
            try await attempt(subject) { try await session.passkeys(passkeys, userAgent: userAgent) }
        }
        guard let before = try await list() else { return note(subject, .fails, refusal) }
        let own = before.first { !listed.contains($0) } ?? before.first { $0 == first }
        guard let own = own ?? (before.count == 1 ? before.first : nil) else {
            return note(
                subject, .skipped, "the check does not recognise its own passkey among the \(before.count) listed")
        }
        let isDeleted = try await attempt(subject) {
            try await session.deletePasskey(own, by: delete, userAgent: userAgent)
        }
        guard isDeleted else { return note(subject, .fails, refusal) }
        let line = last
        let isStillListed = try await list()?.contains(own) ?? false
        note(subject, isStillListed ? .fails : .works, isStillListed ? "\(line), but \(last) still lists it" : line)
    }
}
