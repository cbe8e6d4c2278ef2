internal import Synchronization

/// The end of a request that arrives as a message, before its answer.
final class RequestCancellation: Sendable {
    private let state = Mutex<(isCancelled: Bool, act: (@Sendable () -> Void)?)>((false, nil))

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let act = state.withLock { state in
            state.isCancelled = true
            return state.act
        }
        act?()
    }

    /// Performs an act when the request ends, or at once if it has ended.
    func watch(_ act: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.act = act
            return state.isCancelled
        }
        if isCancelled { act() }
    }
}
