internal import Attestation
internal import CTAP
internal import WebAuthn

/// A fault that is on.
struct ArmedFault: Sendable {
    let fault: AuthenticatorFault
    /// How many more answers it changes; nil until it is taken off.
    var remaining: Int?
}

extension VirtualAuthenticator {
    /// Makes the authenticator do something wrong from now on.
    ///
    /// - Parameter times: how many answers it changes; nil until ``clearFaults()``.
    public func arm(_ fault: AuthenticatorFault, times: Int? = nil) {
        faults.append(ArmedFault(fault: fault, remaining: times))
    }

    /// Makes the authenticator honest again.
    public func clearFaults() {
        faults = []
    }

    /// The names of the faults that are on, and how many more answers each changes; nil until ``clearFaults()``.
    public var armedFaults: [(name: String, remaining: Int?)] {
        faults.map { ($0.fault.description.name, $0.remaining) }
    }

    func applyFaults(to data: inout AuthenticatorData) {
        guard !faults.isEmpty else { return }
        let isRegistration = data.attestedCredentialData != nil
        for index in faults.indices where faults[index].concerns(isRegistration: isRegistration) {
            switch faults[index].fault.edit {
            case .authenticatorData(let edit): edit(&data, faultMemory)
            case .signCount(let edit):
                data.signCount = edit(faultMemory.formerSignCount)
            default: break
            }
        }
    }

    func applyFaults(toEncoded data: [UInt8], isRegistration: Bool) -> [UInt8] {
        guard !faults.isEmpty else { return data }
        return faults.filter { $0.concerns(isRegistration: isRegistration) }.reduce(data) { data, armed in
            if case .encodedAuthenticatorData(let edit) = armed.fault.edit { edit(data) } else { data }
        }
    }

    /// - Parameter flaw: what the attestation has wrong with it.
    func applyFaults(to response: inout MakeCredentialResponse, flaw: AttestationFlaw?) {
        guard !faults.isEmpty else { return }
        for armed in faults where armed.concerns(isRegistration: true) {
            if case .registration(let edit) = armed.fault.edit { edit(&response) }
        }
        countDownFaults { $0.concerns(isRegistration: true) && $0.isSpent(by: flaw) }
    }

    func applyFaults(to response: inout GetAssertionResponse) {
        guard !faults.isEmpty else { return }
        for armed in faults where armed.concerns(isRegistration: false) {
            switch armed.fault.edit {
            case .signature(let edit): response.signature = edit(response.signature)
            case .assertion(let edit): edit(&response, faultMemory)
            default: break
            }
        }
        countDownFaults { $0.concerns(isRegistration: false) }
    }

    /// Counts a U2F registration, which can have nothing wrong with it but its certificate.
    func countDownU2FRegistration(flaw: AttestationFlaw) {
        countDownFaults { fault in
            if case .attestation = fault.fault.edit { fault.isSpent(by: flaw) } else { false }
        }
    }

    private func countDownFaults(where isSpent: (ArmedFault) -> Bool) {
        for index in faults.indices where isSpent(faults[index]) {
            record(.faultApplied(faults[index].fault.description.name))
            faults[index].remaining = faults[index].remaining.map { $0 - 1 }
        }
        faults.removeAll { $0.remaining.map { $0 <= 0 } ?? false }
    }
}

extension ArmedFault {
    /// Whether an attestation with a flaw counts for this fault: of several flaws armed one is there.
    func isSpent(by flaw: AttestationFlaw?) -> Bool {
        if case .attestation(let own) = fault.edit { own == flaw } else { true }
    }

    func concerns(isRegistration: Bool) -> Bool {
        isRegistration ? fault.changesRegistrations : fault.changesAssertions
    }
}
