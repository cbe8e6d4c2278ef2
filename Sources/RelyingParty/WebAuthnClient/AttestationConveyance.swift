internal import CBOR
internal import CTAP
internal import WebAuthn

extension MakeCredentialResponse {
    /// The attestation object for a relying party with this preference (WebAuthn L3 §5.1.3, "attestation conveyance").
    ///
    /// `none` removes the statement, except self attestation with a zero AAGUID, which reveals nothing. Authenticator
    /// data stays unchanged, including the AAGUID. The other preferences keep the statement.
    func attestationObject(for preference: AttestationConveyancePreference) -> AttestationObject {
        var object = AttestationObject(
            format: format, statement: attestationStatement, authenticatorData: authenticatorData)
        if preference == .none, !isAnonymousSelfAttestation {
            object.format = "none"
            object.statement = [:]
        }
        return object
    }

    private var isAnonymousSelfAttestation: Bool {
        guard format == "packed", case .map(let statement) = attestationStatement, statement["x5c"] == nil,
            let attested = try? AuthenticatorData(parsing: authenticatorData).attestedCredentialData
        else { return false }
        return attested.aaguid == .zero
    }
}
