internal import Attestation
internal import CTAP

extension AuthenticatorFault {
    /// Attestations as a broken factory or a careless vendor makes them, each the one flaw of its name.
    ///
    /// A device that attests in another way than the flaw needs does so in one that can have it.
    static let attestationFaults = AttestationFlaw.allCases.map { flaw in
        let description = flaw.description
        let kinds = description.kinds.map(\.rawValue).joined(separator: ", ")
        return AuthenticatorFault(
            "attestation-\(flaw.rawValue)", "\(description.meaning) (\(kinds))", [description.step],
            edit: .attestation(flaw))
    }
}

extension VirtualAuthenticator {
    /// The flaw the next attestation shall have.
    var armedAttestationFlaw: AttestationFlaw? {
        for armed in faults {
            if case .attestation(let flaw) = armed.fault.edit { return flaw }
        }
        return nil
    }
}
