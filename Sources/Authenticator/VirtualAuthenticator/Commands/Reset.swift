internal import Biometrics
internal import CTAP
internal import Causes
internal import Mutations
internal import WebAuthn

extension VirtualAuthenticator {
    /// authenticatorReset (CTAP 2.3 §6.6): erases every credential, the PIN and, on a security key, its fingerprints.
    func reset(_ context: CommandContext) async throws(Refusal) {
        if let transport = context.request.transport, let accepted = configuration.transportsForReset,
            !accepted.contains(transport)
        {
            try refuse(context.refusal(.operationDenied, .transportNotAccepted))
        }
        if countsTaps(context.request) { await tapAgain(after: configuration.resetWindow) }
        try require(
            now - state.poweredUpAt <= configuration.resetWindow,
            else: context.refusal(.notAllowed, .tooLateAfterPowerUp))
        try await requireUserPresence(
            context, relyingPartyID: nil, isLongTouch: state.settings.needsLongTouchForReset)
        var gate = state.gate
        // On a platform authenticator a reset keeps the templates.
        if !configuration.isPlatform, gate != nil, !AuthenticatorMutation.resetErasesFingerprints.isActive {
            if let event = gate?.removeAllTemplates(at: now) { record(.gate(event)) }
            if let event = gate?.refill(at: now) { record(.gate(event)) }
        }
        if !AuthenticatorMutation.resetErasesCredentials.isActive {
            state.credentials = CredentialStore(tracksChanges: environment.storage != nil)
        }
        let before = state.settings
        state.settings = .factory(configuration, environment.random, gate: gate)
        state.settings.serialNumber = before.serialNumber
        if AuthenticatorMutation.resetErasesPIN.isActive { state.settings.pin = before.pin }
        if AuthenticatorMutation.resetRenewsKeys.isActive { state.settings.sealingKey = before.sealingKey }
        if AuthenticatorMutation.resetRenewsIdentifier.isActive { state.settings.identifier = before.identifier }
        if AuthenticatorMutation.resetEndsAlwaysUV.isActive { state.settings.alwaysUV = before.alwaysUV }
        // A reset disables enterprise attestation, even if the manufacturer enabled it.
        state.settings.isEnterpriseAttestationEnabled =
            AuthenticatorMutation.resetDisablesEnterpriseAttestation.isActive && before.isEnterpriseAttestationEnabled
        if !AuthenticatorMutation.resetErasesLargeBlobs.isActive { state.largeBlobs = SerializedLargeBlobArray.initial }
        state.session = PowerSession(isTapSpent: state.session.isTapSpent)
        record(.wasReset)
    }
}
