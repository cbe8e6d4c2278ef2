internal import COSE
internal import CTAP

extension VirtualAuthenticator {
    /// Attests to a new credential (CTAP 2.3 §6.1.2 step 17).
    func attestationResponse(
        _ credential: StoredCredential, _ request: MakeCredentialRequest, authenticatorData: [UInt8],
        _ context: CommandContext
    ) throws(Refusal) -> MakeCredentialResponse {
        let format = attestationFormat(preferred: request.attestationFormatsPreference)
        do {
            return MakeCredentialResponse(
                format: format.rawValue, authenticatorData: authenticatorData,
                attestationStatement: try format.statement(
                    for: credential, authenticatorData: authenticatorData, clientDataHash: request.clientDataHash,
                    mode: signingMode(credential.privateKey.algorithm)))
        } catch {
            throw Refusal(.other, context.reason("attestationFailed"), detail: "\(error)")
        }
    }

    /// The platform's most wanted format of those this device makes, otherwise the device's own choice.
    private func attestationFormat(preferred: [String]?) -> AttestationStatementFormat {
        let supported = configuration.attestationFormats + [.none]
        for identifier in preferred ?? [] {
            if let format = supported.first(where: { $0.rawValue == identifier }) { return format }
        }
        return configuration.attestationFormats.first ?? .none
    }

    /// What the environment asks for, but for ML-DSA, which the library only signs with fresh randomness.
    func signingMode(_ algorithm: COSE.Algorithm) -> COSE.SigningMode {
        algorithm == .mlDSA65 || algorithm == .mlDSA87 ? .randomized : environment.signing
    }

    /// Refuses the enterpriseAttestation parameter where the device does not know it (CTAP 2.3 §6.1.2 step 9).
    func checkEnterpriseAttestation(_ value: Int?, _ context: CommandContext) throws(Refusal) {
        guard let value else { return }
        guard configuration.management.enterpriseAttestation != nil, state.settings.isEnterpriseAttestationEnabled
        else { throw Refusal(.invalidParameter, context.reason("enterpriseAttestationUnsupported", step: 9)) }
        guard value == 1 || value == 2 else {
            throw Refusal(.invalidOption, context.reason("enterpriseAttestationValue", step: 9))
        }
    }
}
