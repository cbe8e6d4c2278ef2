internal import Attestation
internal import CTAP
internal import Causes
internal import WebAuthn

extension VirtualAuthenticator {
    /// Arms a fault, which changes `times` responses; nil for all until ``clearFaults()``.
    public func arm(_ fault: AuthenticatorFault, times: Int? = nil) { faults.arm(fault, times: times) }

    /// Clears every fault.
    public func clearFaults() { faults.clear() }

    /// The names of the armed faults, and the number of responses each still changes; nil until ``clearFaults()``.
    public var armedFaults: [(name: String, remaining: Int?)] { faults.all.map { ($0.fault.name, $0.remaining) } }

    func applyFaults(toRequest message: [UInt8]) throws(Refusal) {
        guard hasFaults else { return }
        let request = FaultyRequest(message)
        for fault in faults.faults {
            guard case .request(let refuse) = fault.edit, let (status, cause) = refuse(request, state.pin.isSet)
            else { continue }
            countDownFaults { $0 == fault }
            throw Refusal(status, RefusalReason(fault: cause))
        }
    }

    func applyFaults(to data: inout AuthenticatorData) {
        guard hasFaults else { return }
        for fault in faults.faults(in: data.attestedCredentialData == nil ? .authentication : .registration) {
            guard case .authenticatorData(let edit) = fault.edit else { continue }
            let before = data
            edit(&data, faultMemory)
            if data == before { faultMemory.idle.insert(fault.name) }
        }
        if data.flags.contains(.userPresent), claimsVerification {
            data.flags.insert(.userVerified)
            countDownFaults { $0.claimsVerification }
        }
    }

    func applyFaults(toEncoded data: [UInt8], in ceremony: VerificationStep.Ceremony) -> [UInt8] {
        guard hasFaults else { return data }
        return faults.faults(in: ceremony).reduce(data) { data, fault in
            if case .encodedAuthenticatorData(let edit) = fault.edit { edit(data) } else { data }
        }
    }

    func applyFaults(to response: inout MakeCredentialResponse, flaw: AttestationFlaw?) {
        guard hasFaults else { return }
        for fault in faults.faults(in: .registration) {
            guard case .registration(let edit) = fault.edit else { continue }
            let before = response
            edit(&response)
            if response == before { faultMemory.idle.insert(fault.name) }
        }
        countDownFaults { $0.ceremonies.contains(.registration) && $0.isSpent(by: flaw) }
    }

    func applyFaults(to response: inout GetAssertionResponse) {
        guard hasFaults else { return }
        for fault in faults.faults(in: .authentication) {
            guard case .assertion(let edit) = fault.edit else { continue }
            let before = response
            edit(&response)
            if response == before { faultMemory.idle.insert(fault.name) }
        }
        countDownFaults { $0.ceremonies.contains(.authentication) }
    }

    /// Whether the device claims a verification of its user without asking.
    var claimsVerification: Bool { hasFaults && faults.faults.contains { $0.claimsVerification } }

    /// Counts a U2F registration, in which only the certificate can be flawed.
    func countDownU2FRegistration(flaw: AttestationFlaw) { countDownFaults { $0.flaw == flaw } }

    private func countDownFaults(where concerns: (AuthenticatorFault) -> Bool) {
        let idle = faultMemory.idle
        faultMemory.idle = []
        for fault in faults.countDown(where: { concerns($0) && !idle.contains($0.name) }) {
            record(.faultApplied(fault.name))
        }
    }
}

extension ArmedFaults<AuthenticatorFault> {
    fileprivate func faults(in ceremony: VerificationStep.Ceremony) -> [AuthenticatorFault] {
        faults.filter { $0.ceremonies.contains(ceremony) }
    }
}

extension AuthenticatorFault {
    /// Whether an attestation with a flaw counts for this fault: it has only one of several armed flaws.
    fileprivate func isSpent(by flaw: AttestationFlaw?) -> Bool { self.flaw == nil || self.flaw == flaw }
}
