internal import CTAP

extension VirtualAuthenticator {
    /// The counter a new credential starts with.
    func signCountAtCreation() -> UInt32 {
        guard configuration.counterMode == .global else { return 0 }
        return advanceGlobalCounter()
    }

    /// The counter value for the next signature of a credential.
    func nextSignCount(of credential: StoredCredential) -> UInt32 {
        switch configuration.counterMode {
        case .none: return 0
        case .global: return advanceGlobalCounter()
        case .perCredential:
            let value = state.credentials.signCount(of: credential)
            let next = value == .max ? value : value + 1
            state.credentials.setSignCount(next, of: credential)
            record(.counter(next))
            return next
        }
    }

    private func advanceGlobalCounter() -> UInt32 {
        // At its end a counter stops rather than starting over, which would look like a clone.
        if state.globalCounter < .max { state.globalCounter += 1 }
        record(.counter(state.globalCounter))
        return state.globalCounter
    }
}
