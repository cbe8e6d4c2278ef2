internal import CTAP
package import Conformance
internal import Synchronization

/// The acts that bring an authenticator back to its usual state, the gentlest first.
private enum RecoveryAct: String, CaseIterable {
    case channel = "a new channel"
    case powerCycle = "a power cycle"
    case credential = "a new shared credential"
    case reset = "a reset"
}

extension AuthenticatorBench {
    package func restored() async -> SubjectState {
        guard settings.comparison == nil, var refusal = await refusalOfGoodRequest() else { return .sound }
        for act in RecoveryAct.allCases {
            guard await perform(act) else { continue }
            guard let next = await refusalOfGoodRequest() else { return .restored(by: act.rawValue) }
            refusal = next
        }
        return .lost(refusal)
    }

    /// Whether the act could be performed.
    private func perform(_ act: RecoveryAct) async -> Bool {
        do {
            switch act {
            case .channel:
                guard let reopen = link.reopen else { return false }
                try await reopen()
            case .powerCycle:
                guard link.powerCycle != nil, !link.replugs || settings.isAttended else { return false }
                try await powerCycle()
            case .credential:
                guard state.withLock({ $0.shared }) != nil else { return false }
                state.withLock { $0.shared = nil }
            case .reset:
                guard mayChange, !link.replugs || settings.isAttended, obstacle(to: .reset) == nil else { return false }
                try await freshDevice()
            }
            return true
        } catch {
            return false
        }
    }

    /// The authenticator's reaction to the first request that it should answer and does not; nil where it answers all.
    ///
    /// The requests need no touch and spend no try: getInfo, the PIN, and an assertion without user presence.
    private func refusalOfGoodRequest() async -> String? {
        do {
            guard info.versions != ["U2F_V2"] else {
                return await link.answersU2F() ? nil : "the device does not answer U2F_VERSION"
            }
            let status = try await askForInfo()
            guard status == .ok else { return "getInfo is refused with \(status.specified)" }
            if info.option(.clientPin) == true, let pin {
                let status = try await present(pin).status
                guard status == .ok else { return "the right PIN is refused with \(status.specified)" }
            }
            guard let shared = state.withLock({ $0.isSharedSilent ? $0.shared : nil }) else { return nil }
            let answer = try await assert(silently: true, allowing: [shared])
            guard answer.status == .ok else {
                return "an assertion with a credential that worked before is refused with \(answer.seen)"
            }
            return nil
        } catch is CaseStop {
            return "a key agreement is refused"
        } catch {
            return "\(error)"
        }
    }
}
