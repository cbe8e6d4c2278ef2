internal import CTAPHybrid
internal import HybridTunnel
internal import Synchronization

/// The files of a process's own tunnels, each of which stays until its last user has ended.
///
/// Two devices of a process can scan one code, and a later reader of contacts can take the place of a former one: their file is the
/// same.
final class TunnelClaims: Sendable {
    /// One use of a file.
    struct Claim: Sendable {
        fileprivate let number: Int
    }

    private struct Use: Equatable {
        let endpoint: TunnelRequest.Endpoint
        let place: TunnelPlace
    }

    private struct State {
        var uses: [Int: Use] = [:]
        var lastNumber = 0
    }

    private let folder: TunnelFolder
    private let state = Mutex(State())

    init(_ folder: TunnelFolder) { self.folder = folder }

    /// Writes the file of an endpoint's tunnel.
    ///
    /// - Throws: ``TunnelError/unusable(_:)``.
    func write(_ place: TunnelPlace, for endpoint: TunnelRequest.Endpoint) throws(TunnelError) -> Claim {
        // Under the lock, so that the end of a former use cannot remove the new file.
        try state.withLock { state throws(TunnelError) in
            try folder.write(place, for: endpoint)
            state.lastNumber += 1
            state.uses[state.lastNumber] = Use(endpoint: endpoint, place: place)
            return Claim(number: state.lastNumber)
        }
    }

    /// Ends a use, which may have ended already; the last one removes the file.
    func end(_ claim: Claim) {
        state.withLock { state in
            guard let use = state.uses.removeValue(forKey: claim.number), !state.uses.values.contains(use)
            else { return }
            folder.remove(use.endpoint, of: use.place)
        }
    }
}
