internal import CTAP

extension VirtualAuthenticator {
    /// authenticatorSelection (CTAP 2.3 §6.9): the user touches the device to use.
    func selection(_ context: CommandContext) async throws(Refusal) {
        try await requireUserPresence(context, relyingPartyID: nil)
    }
}
