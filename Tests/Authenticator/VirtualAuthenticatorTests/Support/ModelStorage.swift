import CTAP
import Synchronization
import VirtualAuthenticator

/// Storage in memory that applies each change as documented, and can be made to fail.
final class ModelStorage: AuthenticatorStorage {
    struct Broken: Error {}

    private struct State {
        var settings: [UInt8]?
        var globalCounter: UInt32 = 0
        var credentials: [[UInt8]: [UInt8]] = [:]
        var sealedCounters: [[UInt8]: UInt32] = [:]
        var largeBlobs = SerializedLargeBlobArray.initial
        var changes: [StorageChange] = []
        var isBroken = false
        var onCommit: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// Whether every write fails.
    var isBroken: Bool {
        get { state.withLock { $0.isBroken } }
        set { state.withLock { $0.isBroken = newValue } }
    }

    /// The changes written so far.
    var changes: [StorageChange] { state.withLock { $0.changes } }

    /// Called before each write.
    func whenCommitting(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onCommit = body } }

    func commit(_ change: StorageChange) throws {
        let onCommit = state.withLock { $0.onCommit }
        onCommit()
        try state.withLock { state throws(Broken) in
            guard !state.isBroken else { throw Broken() }
            if change.erasesEverything {
                state.globalCounter = 0
                state.credentials = [:]
                state.sealedCounters = [:]
                state.largeBlobs = SerializedLargeBlobArray.initial
            }
            state.settings = change.settings ?? state.settings
            state.globalCounter = change.globalCounter ?? state.globalCounter
            state.credentials.merge(change.credentials.mapValues(\.bytes)) { $1 }
            for id in change.removedCredentials { state.credentials[id] = nil }
            state.sealedCounters.merge(change.sealedCounters) { $1 }
            state.largeBlobs = change.largeBlobs ?? state.largeBlobs
            state.changes.append(change)
        }
    }

    /// The stored state; nil before the first write.
    var stored: StoredAuthenticator? {
        state.withLock { state in
            state.settings.map {
                StoredAuthenticator(
                    settings: $0, globalCounter: state.globalCounter, credentials: Array(state.credentials.values),
                    sealedCounters: state.sealedCounters, largeBlobs: state.largeBlobs)
            }
        }
    }
}

extension StoredAuthenticator {
    /// The same with the credentials in another order, because storage keeps none.
    var sorted: StoredAuthenticator {
        var copy = self
        copy.credentials.sort { $0.lexicographicallyPrecedes($1) }
        return copy
    }
}
