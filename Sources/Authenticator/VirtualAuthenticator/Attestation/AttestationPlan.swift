internal import Attestation
internal import COSE
internal import CTAP
internal import Causes
internal import WebAuthn

/// The attestation of a new credential.
struct AttestationPlan {
    var kind: AttestationKind
    /// Whether the statement identifies this device among others of its model (CTAP 2.3 §7.1).
    var isEnterprise = false
    var flaw: AttestationFlaw?
}

extension VirtualAuthenticator {
    /// Chooses the attestation for a new credential, before its authenticator data is made.
    func attestationPlan(_ request: MakeCredentialRequest, _ algorithm: COSE.Algorithm) -> AttestationPlan {
        let isEnterprise = givesEnterpriseAttestation(request)
        var plan = AttestationPlan(
            kind: isEnterprise
                ? enterpriseKind(algorithm)
                : attestationKind(preferred: request.attestationFormatsPreference, algorithm),
            isEnterprise: isEnterprise)
        if let flaw = armedAttestationFlaw,
            let kind = flaw.description.kinds.contains(plan.kind)
                ? plan.kind : flaw.description.kinds.first(where: { $0.attests(algorithm) })
        {
            plan.kind = kind
            plan.isEnterprise = isEnterprise && kind.carriesSerialNumber
            plan.flaw = flaw
        }
        return plan
    }

    /// The AAGUID in authenticator data; zero for fido-u2f, whose keys have none (WebAuthn L3 §8.6).
    func aaguid(for plan: AttestationPlan) -> AAGUID {
        let isTold = plan.kind != .fidoU2F || environment.attestation?.vendor.namesModelInU2F ?? false
        return isTold ? configuration.aaguid : .zero
    }

    /// The platform's most preferred format among this device's, otherwise the device's own choice.
    private func attestationKind(preferred: [String]?, _ algorithm: COSE.Algorithm) -> AttestationKind {
        let possible = configuration.attestation.lazy.filter { $0.attests(algorithm) }
        for identifier in preferred ?? [] {
            if let kind = possible.first(where: { $0.format == identifier }) { return kind }
            if identifier == AttestationKind.none.format { return .none }
        }
        return possible.first ?? .none
    }

    /// Whether the statement identifies this device: 1 if it lists the relying party, 2 always (CTAP 2.3 §7.1, §6.1.2).
    private func givesEnterpriseAttestation(_ request: MakeCredentialRequest) -> Bool {
        switch request.enterpriseAttestation {
        case 1: configuration.management.enterpriseAttestation?.relyingPartyIDs.contains(request.rp.id) ?? false
        case 2: true
        default: false
        }
    }

    private func enterpriseKind(_ algorithm: COSE.Algorithm) -> AttestationKind {
        configuration.attestation.first { $0.carriesSerialNumber && $0.attests(algorithm) } ?? .packedBasic
    }

    /// Refuses the enterpriseAttestation parameter on a device without enterprise attestation (CTAP 2.3 §6.1.2 step 9).
    func checkEnterpriseAttestation(_ value: Int?, _ context: CommandContext) throws(Refusal) {
        guard let value else { return }
        try require(
            configuration.management.enterpriseAttestation != nil && state.settings.isEnterpriseAttestationEnabled,
            else: context.refusal(.invalidParameter, .enterpriseAttestationUnsupported, step: 9))
        try require(
            value == 1 || value == 2, else: context.refusal(.invalidOption, .enterpriseAttestationValue, step: 9))
    }
}

extension AttestationKind {
    /// Whether its certificate is the model's, with room for the serial number of one device.
    fileprivate var carriesSerialNumber: Bool { self == .packedBasic || self == .tpm || self == .tpmRS1 }
}
