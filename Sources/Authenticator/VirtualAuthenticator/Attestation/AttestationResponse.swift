internal import Attestation
internal import CBOR
internal import COSE
internal import CTAP
internal import Causes

extension VirtualAuthenticator {
    /// Attests to a new credential (CTAP 2.3 §6.1.2 step 17).
    func attestationResponse(
        _ credential: StoredCredential, _ request: MakeCredentialRequest, _ plan: AttestationPlan,
        authenticatorData: [UInt8], _ context: CommandContext
    ) throws(Refusal) -> MakeCredentialResponse {
        let subject = AttestationSubject(
            authenticatorData: authenticatorData, clientDataHash: request.clientDataHash,
            relyingPartyIDHash: credential.relyingPartyIDHash, credentialID: credential.id,
            privateKey: credential.privateKey)
        do {
            return MakeCredentialResponse(
                format: plan.kind.format, authenticatorData: authenticatorData,
                attestationStatement: try statement(plan, about: subject),
                enterpriseAttestation: plan.isEnterprise ? true : nil)
        } catch {
            throw context.refusal(.other, .attestationFailed, detail: "\(error)")
        }
    }

    private func statement(_ plan: AttestationPlan, about subject: AttestationSubject) throws -> CBOR.Value {
        // These two need no authority, so none is made for them.
        if plan.kind == .none { return [:] }
        if plan.kind == .packed, plan.flaw == nil {
            return try AttestationMaker.selfStatement(about: subject, signing: environment.signing)
        }
        var maker = try modelAttestation()
        maker.flaw = plan.flaw
        if plan.isEnterprise { maker.enterpriseSerialNumber = serialNumber() }
        return try maker.statement(plan.kind, about: subject).value
    }

    /// The attestation of the model, made once: its keys and certificates follow from the authority's seed.
    func modelAttestation() throws -> AttestationMaker {
        if let attestationMaker = environment.attestation ?? attestationMaker { return attestationMaker }
        let maker = try AttestationMaker(
            authority: AttestationAuthority(), model: configuration.aaguid, signing: environment.signing)
        attestationMaker = maker
        return maker
    }

    /// The serial number that identifies this device in enterprise attestation, 8 bytes; it survives a reset.
    private func serialNumber() -> [UInt8] {
        if let serialNumber = state.settings.serialNumber { return serialNumber }
        let serialNumber = environment.random.bytes(8)
        state.settings.serialNumber = serialNumber
        return serialNumber
    }
}
