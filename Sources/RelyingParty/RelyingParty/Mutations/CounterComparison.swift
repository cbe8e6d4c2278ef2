internal import Mutations

/// Wrong comparisons of signature counters, for a mutation run.
enum CounterComparison {
    /// Whether an active mutation takes the counter for acceptable; nil without one that decides.
    static func mistaken(_ received: UInt32, _ stored: UInt32) -> Bool? {
        if VerifierMutation.equalCounter.isActive, received == stored { return true }
        if VerifierMutation.zeroCounter.isActive, received == 0 { return true }
        if VerifierMutation.zeroCountersRefused.isActive { return received > stored }
        if VerifierMutation.signedCounter.isActive {
            return Int32(bitPattern: received) > Int32(bitPattern: stored)
        }
        return nil
    }
}
