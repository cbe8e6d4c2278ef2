internal import Attestation
internal import WebAuthn

extension AuthenticatorFault {
    /// One fault for each ``AttestationFlaw``.
    ///
    /// A device whose kind of attestation cannot have the flaw attests with a kind that can.
    static let attestationFaults = AttestationFlaw.allCases.map { flaw in
        let description = flaw.description
        let kinds = description.kinds.map(\.rawValue).joined(separator: ", ")
        return AuthenticatorFault(
            "attestation-\(flaw.rawValue)", "\(description.meaning) (\(kinds))", in: [.registration],
            noticedBy: description.step,
            edit: .attestation(flaw))
    }
}

extension VirtualAuthenticator {
    /// The flaw of the next attestation.
    var armedAttestationFlaw: AttestationFlaw? {
        for armed in faults {
            if case .attestation(let flaw) = armed.fault.edit { return flaw }
        }
        return nil
    }
}
