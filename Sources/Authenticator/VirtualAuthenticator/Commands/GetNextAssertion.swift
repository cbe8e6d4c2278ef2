internal import CTAP
internal import Causes

extension VirtualAuthenticator {
    /// authenticatorGetNextAssertion (CTAP 2.3 §6.3).
    func getNextAssertion(_ context: CommandContext) throws(Refusal) -> GetAssertionResponse {
        guard var pending = state.session.pendingAssertions, !pending.ids.isEmpty else {
            throw context.refusal(.notAllowed, .nothingPending)
        }
        let isInTime = now - pending.lastAnswerAt <= PendingAssertions.lifetime
        if !isInTime || !isTokenInUse(pending.token) {
            state.session.pendingAssertions = nil
            throw context.refusal(.notAllowed, .expired)
        }
        guard let credential = pending.ids.last.flatMap(state.credentials.credential) else {
            throw context.refusal(.notAllowed, .nothingPending)
        }
        pending.ids = pending.ids.dropLast()
        pending.lastAnswerAt = now
        state.session.pendingAssertions = pending
        return try sign(credential, pending.terms, namesUser: true, context)
    }
}
