internal import Attestation
internal import CTAP
internal import WebAuthn

/// An armed fault.
struct ArmedFault: Sendable {
    let fault: AuthenticatorFault
    /// The number of responses still to change; nil until faults are cleared.
    var remaining: Int?
}

extension VirtualAuthenticator {
    /// Arms a fault.
    ///
    /// - Parameters:
    ///   - fault: the fault.
    ///   - times: the number of responses to change; nil until ``clearFaults()``.
    public func arm(_ fault: AuthenticatorFault, times: Int? = nil) {
        faults.append(ArmedFault(fault: fault, remaining: times))
    }

    /// Clears every fault.
    public func clearFaults() {
        faults = []
    }

    /// The names of the armed faults, and the number of responses each still changes; nil until ``clearFaults()``.
    public var armedFaults: [(name: String, remaining: Int?)] {
        faults.map { ($0.fault.name, $0.remaining) }
    }

    func applyFaults(to data: inout AuthenticatorData) {
        guard !faults.isEmpty else { return }
        let ceremony: VerificationStep.Ceremony =
            data.attestedCredentialData == nil ? .authentication : .registration
        for fault in faults.map(\.fault) where fault.ceremonies.contains(ceremony) {
            switch fault.edit {
            case .authenticatorData(let edit): edit(&data, faultMemory)
            case .signCount(let edit): data.signCount = edit(faultMemory.formerSignCount)
            default: break
            }
        }
    }

    func applyFaults(toEncoded data: [UInt8], in ceremony: VerificationStep.Ceremony) -> [UInt8] {
        guard !faults.isEmpty else { return data }
        return faults.map(\.fault).filter { $0.ceremonies.contains(ceremony) }.reduce(data) { data, fault in
            if case .encodedAuthenticatorData(let edit) = fault.edit { edit(data) } else { data }
        }
    }

    /// - Parameter flaw: the attestation's flaw, if any.
    func applyFaults(to response: inout MakeCredentialResponse, flaw: AttestationFlaw?) {
        guard !faults.isEmpty else { return }
        for armed in faults where armed.fault.ceremonies.contains(.registration) {
            if case .registration(let edit) = armed.fault.edit { edit(&response) }
        }
        countDownFaults { $0.fault.ceremonies.contains(.registration) && $0.isSpent(by: flaw) }
    }

    func applyFaults(to response: inout GetAssertionResponse) {
        guard !faults.isEmpty else { return }
        for armed in faults where armed.fault.ceremonies.contains(.authentication) {
            switch armed.fault.edit {
            case .signature(let edit): response.signature = edit(response.signature)
            case .assertion(let edit): edit(&response, faultMemory)
            default: break
            }
        }
        countDownFaults { $0.fault.ceremonies.contains(.authentication) }
    }

    /// Counts a U2F registration, in which only the certificate can be flawed.
    func countDownU2FRegistration(flaw: AttestationFlaw) {
        countDownFaults { fault in
            if case .attestation = fault.fault.edit { fault.isSpent(by: flaw) } else { false }
        }
    }

    private func countDownFaults(where isSpent: (ArmedFault) -> Bool) {
        for index in faults.indices where isSpent(faults[index]) {
            record(.faultApplied(faults[index].fault.name))
            faults[index].remaining = faults[index].remaining.map { $0 - 1 }
        }
        faults.removeAll { $0.remaining.map { $0 <= 0 } ?? false }
    }
}

extension ArmedFault {
    /// Whether an attestation with a flaw counts for this fault: it has only one of several armed flaws.
    func isSpent(by flaw: AttestationFlaw?) -> Bool {
        if case .attestation(let own) = fault.edit { own == flaw } else { true }
    }
}
