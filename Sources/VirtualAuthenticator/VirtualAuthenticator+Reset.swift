internal import Biometrics
internal import CTAP

extension VirtualAuthenticator {
    /// authenticatorReset (CTAP 2.3 §6.6): erases every credential, the PIN and, on a security key, its fingerprints.
    func reset() async throws(Refusal) {
        let context = CommandContext.reset
        guard now - state.poweredUpAt <= configuration.resetWindow else {
            throw Refusal(.notAllowed, context.reason("tooLateAfterPowerUp"))
        }
        try await requireUserPresence(context, relyingPartyID: nil)
        state.credentials = CredentialStore()
        state.sealingKey = environment.random.bytes(32)
        state.pin = ClientPINState(retries: configuration.maxPINRetries, minimumLength: configuration.minPINLength)
        state.alwaysUV = configuration.alwaysUV
        state.tokens = [:]
        state.keyAgreementKeys = [:]
        state.pendingAssertions = nil
        // A phone's face or fingers belong to the phone, not to its passkeys.
        if !configuration.isPlatform, var gate = state.gate {
            record(.gate(gate.removeAllTemplates(at: now)))
            record(.gate(gate.refill(at: now)))
            state.gate = gate
        }
        record(.wasReset)
    }
}
