internal import Attestation
internal import CTAP
internal import WebAuthn

extension AuthenticatorFault {
    /// One fault for each ``AttestationFlaw``.
    ///
    /// A device whose kind of attestation cannot have the flaw attests with a kind that can.
    static let attestationFaults = AttestationFlaw.allCases.map { flaw in
        let description = flaw.description
        let kinds = description.kinds.map(\.rawValue).joined(separator: ", ")
        return AuthenticatorFault(
            "attestation-\(flaw.rawValue)", "\(description.meaning) (\(kinds))", noticedBy: [description.step],
            edit: .attestation(flaw))
    }

    var flaw: AttestationFlaw? { if case .attestation(let flaw) = edit { flaw } else { nil } }
}

extension VirtualAuthenticator {
    var armedAttestationFlaw: AttestationFlaw? { hasFaults ? faults.faults.lazy.compactMap(\.flaw).first : nil }
}
