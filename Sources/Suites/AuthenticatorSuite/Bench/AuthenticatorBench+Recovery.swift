internal import CBOR
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
        guard settings.comparison == nil else { return .sound }
        if let failure = self.state.withLock(\.machineFailure) { return .silent(failure) }
        var state = await stateAtGoodRequests()
        guard state != .sound else { return .sound }
        for act in RecoveryAct.allCases {
            guard await perform(act) else { continue }
            state = await stateAtGoodRequests()
            guard state != .sound else { return .restored(by: act.rawValue) }
        }
        return state
    }

    /// Resets an authenticator whose PIN the bench does not know, where it may.
    package func eraseUnknownPIN() async {
        guard info.option(.clientPin) == true, pin == nil else { return }
        _ = await perform(.reset)
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

    /// Whether getPINRetries says that the PIN has no try left, or none before a power cycle (CTAP 2.3 §6.5.5.2).
    private func isPINBlocked() async throws -> Bool {
        let answer = try await send(.clientPIN, retriesRequest)
        guard answer.status == .ok, case .map(let members)? = answer.cbor
        else { return false }
        return members[0x03] == 0 || members[0x04] == true
    }

    /// Whether the authenticator answers requests that are known to be good.
    ///
    /// The requests spend no try: getInfo, the PIN, an assertion without user presence, and the valid request of each command
    /// that the case saw refused.
    private func stateAtGoodRequests() async -> SubjectState {
        state.withLock { $0.lateAnswer = nil }
        do {
            guard info.versions != ["U2F_V2"] else {
                return await link.answersU2F() ? .sound : .silent("the device does not answer U2F_VERSION")
            }
            let status = try await renewInfo()
            let gaveInfo = state.withLock { $0.acceptedRequests.contains(RequestKind(.getInfo, nil)) }
            guard status == .ok || !gaveInfo else { return .lost("getInfo is refused with \(status.specified)") }
            if info.option(.clientPin) == true, let pin {
                guard try await !isPINBlocked() else { return .lost("the PIN is blocked") }
                // A key that refuses the right PIN counts each try.
                if state.withLock(\.hasHadToken) {
                    let status = try await present(pin).status
                    guard status == .ok else { return .lost("the right PIN is refused with \(status.specified)") }
                }
            }
            if let shared = state.withLock({ $0.isSharedSilent ? $0.shared : nil }) {
                let answer = try await assert(silently: true, allowing: [shared])
                guard answer.status == .ok else {
                    return .lost("an assertion with a credential that worked before is refused with \(answer.seen)")
                }
            }
            guard let forgotten = try await forgottenRequest() else { return .sound }
            return .lost(
                "a valid \(forgotten.kind), which had a success before, is refused with \(forgotten.status.specified)")
        } catch is CaseStop {
            if let late = state.withLock(\.lateAnswer) { return .silent(late) }
            return .lost("a valid request cannot be prepared any more")
        } catch {
            return .silent("\(error)")
        }
    }
}
