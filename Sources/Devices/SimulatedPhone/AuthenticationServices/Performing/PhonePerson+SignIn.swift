/// The user's choices on sheets and at fields.
extension PhonePerson {
    /// Plans the user's choice on the next sheet of a request, after the earlier choices of the plan.
    ///
    /// Without a plan the user picks the first offer: a passkey, a password, a security key, or the phone nearby.
    /// ``Phone/checkActs()`` reports a choice that no sheet offered.
    public func willPick(_ choice: SignInChoice, file: String = #fileID, line: Int = #line) {
        desk.plan(choice, at: CodePlace(file: file, line: line))
    }

    /// Picks a suggestion of the AutoFill-assisted request in progress.
    ///
    /// The app receives the result later; see `finishAuthorizations()` of the phone. After a failed verification the
    /// request waits for another choice.
    ///
    /// - Throws: ``PhoneRefusal`` if the phone has no such request, if the app is not on the screen, or if the field does not
    ///   offer the choice.
    public func picks(_ choice: SignInChoice) throws {
        guard let flow = desk.waiting else {
            throw PhoneRefusal(
                "no AutoFill-assisted request waits; call performAutoFillAssistedRequests in the app first")
        }
        if let obstacle = flow.ceremony.obstacle { throw PhoneRefusal(obstacle.cause, obstacle.reason) }
        let offers = executor.result { await flow.ceremony.offers() }.filter { $0.kind != .nearbyPhone }
        guard let offer = offers.first(for: choice) else {
            let others = offers.map(\.choice.description)
            throw PhoneRefusal(
                "the field does not offer \(choice); "
                    + (others.isEmpty ? "it offers nothing" : "it offers \(others.joined(separator: ", "))"))
        }
        flow.pick(offer)
    }
}
