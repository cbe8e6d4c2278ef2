internal import CTAP

extension VirtualAuthenticator {
    /// authenticatorSelection (CTAP 2.3 §6.9): the person touches the one device they mean.
    func selection(_ context: CommandContext) async throws(Refusal) {
        try await requireUserPresence(context, relyingPartyID: nil)
    }
}
