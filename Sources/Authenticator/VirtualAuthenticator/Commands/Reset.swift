internal import Biometrics
internal import CTAP
internal import Causes
internal import WebAuthn

extension VirtualAuthenticator {
    /// authenticatorReset (CTAP 2.3 §6.6): erases every credential, the PIN and, on a security key, its fingerprints.
    func reset(_ context: CommandContext) async throws(Refusal) {
        if let transport = context.request.transport, let accepted = configuration.transportsForReset,
            !accepted.contains(transport)
        {
            throw context.refusal(.operationDenied, .transportNotAccepted)
        }
        if countsTaps(context.request) { await tapAgain(after: configuration.resetWindow) }
        try require(
            now - state.poweredUpAt <= configuration.resetWindow,
            else: context.refusal(.notAllowed, .tooLateAfterPowerUp))
        try await requireUserPresence(context, relyingPartyID: nil, isLongTouch: state.settings.needsLongTouchForReset)
        var gate = state.gate
        // On a platform authenticator a reset keeps the templates.
        if !configuration.isPlatform, gate != nil {
            if let event = gate?.removeAllTemplates(at: now) { record(.gate(event)) }
            if let event = gate?.refill(at: now) { record(.gate(event)) }
        }
        state.credentials = CredentialStore(tracksChanges: environment.storage != nil)
        let before = state.settings
        state.settings = .factory(configuration, environment.random, gate: gate)
        state.settings.serialNumber = before.serialNumber
        // A reset disables enterprise attestation, even if the manufacturer enabled it.
        state.settings.isEnterpriseAttestationEnabled = false
        state.largeBlobs = SerializedLargeBlobArray.initial
        state.session = PowerSession(isTapSpent: state.session.isTapSpent)
        record(.wasReset)
    }
}
