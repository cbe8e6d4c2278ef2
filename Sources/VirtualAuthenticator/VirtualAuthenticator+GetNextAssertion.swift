internal import CTAP

extension VirtualAuthenticator {
    /// authenticatorGetNextAssertion (CTAP 2.3 §6.3).
    func getNextAssertion() throws(Refusal) -> GetAssertionResponse {
        let context = CommandContext.getNextAssertion
        guard var pending = state.pendingAssertions, !pending.credentials.isEmpty else {
            throw Refusal(.notAllowed, context.reason("nothingPending"))
        }
        guard now - pending.lastAnswerAt <= PendingAssertions.lifetime else {
            state.pendingAssertions = nil
            throw Refusal(.notAllowed, context.reason("expired"))
        }
        let credential = pending.credentials.removeFirst()
        pending.lastAnswerAt = now
        state.pendingAssertions = pending
        return try sign(
            credential, clientDataHash: pending.clientDataHash, userPresent: pending.userPresent,
            userVerified: pending.userVerified, namesUser: pending.userVerified)
    }
}
