internal import CTAP

extension VirtualAuthenticator {
    func signCountAtCreation() -> UInt32 {
        switch configuration.counterMode {
        case .none: 0
        case .perCredential: configuration.initialSignatureCounter
        case .global: advanceGlobalCounter()
        case .timestamp: timestamp()
        }
    }

    func nextSignCount(of credential: StoredCredential) -> UInt32 {
        switch credential.ownCounter ?? configuration.counterMode {
        case .none: return 0
        case .global: return advanceGlobalCounter()
        case .perCredential:
            let value = keptSignCount(of: credential)
            let next = value == .max ? value : value + 1
            state.credentials.setSignCount(next, of: credential)
            record(.counter(next))
            return next
        case .timestamp: return timestamp()
        }
    }

    /// The last value of a credential's own counter; nil where it shares the device's.
    func ownSignCount(of credential: StoredCredential) -> UInt32? {
        switch credential.ownCounter ?? configuration.counterMode {
        case .none: 0
        case .perCredential: keptSignCount(of: credential)
        case .global, .timestamp: nil
        }
    }

    /// Whether the relying party may have seen a counter above zero.
    public func countsSignatures(of credential: StoredCredential) -> Bool { ownSignCount(of: credential) != 0 }

    private func keptSignCount(of credential: StoredCredential) -> UInt32 {
        let stored = state.credentials.signCount(of: credential)
        // A credential with a counter of its own begins where that counter stands.
        return credential.ownCounter == nil ? max(stored, configuration.initialSignatureCounter) : stored
    }

    /// The seconds of the device's clock; they go back with the clock.
    private func timestamp() -> UInt32 {
        let seconds = UInt32(clamping: now.components.seconds)
        record(.counter(seconds))
        return seconds
    }

    private func advanceGlobalCounter() -> UInt32 {
        // A counter stops at its maximum; starting over would look like a clone.
        if state.globalCounter < .max { state.globalCounter += 1 }
        record(.counter(state.globalCounter))
        return state.globalCounter
    }
}
