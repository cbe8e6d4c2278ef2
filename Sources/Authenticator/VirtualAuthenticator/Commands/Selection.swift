internal import CTAP

extension VirtualAuthenticator {
    /// authenticatorSelection (CTAP 2.3 §6.9): the person touches the one device they mean.
    func selection() async throws(Refusal) {
        try await requireUserPresence(.selection, relyingPartyID: nil)
    }
}
