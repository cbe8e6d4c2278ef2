/// The user's choices on sheets and at fields.
extension PhonePerson {
    /// Plans what the user picks on the next sheet of a request, after the choices planned before.
    ///
    /// Without a plan the user picks the first offer: a passkey, a password, a security key, or the phone nearby.
    /// ``Phone/checkActs()`` reports a choice that no sheet offered.
    public func willPick(_ choice: SignInChoice, file: String = #fileID, line: Int = #line) {
        desk.plan(choice, at: CodePlace(file: file, line: line))
    }

    /// Picks a suggestion of the AutoFill-assisted request that waits.
    ///
    /// The app hears of the result later, see `finishAuthorizations()` of the phone; after a failed verification the
    /// request goes on waiting.
    ///
    /// - Throws: ``PhoneRefusal`` when no request waits, or when the field does not offer the choice.
    public func picks(_ choice: SignInChoice) throws {
        guard let flow = desk.waiting else {
            throw PhoneRefusal(
                "no AutoFill-assisted request waits; the app calls performAutoFillAssistedRequests first")
        }
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
