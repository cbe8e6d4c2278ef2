internal import CTAPHybrid
internal import HybridTunnel

/// What happens on an end's tunnel.
enum TunnelNews: Sendable {
    case failed(TunnelError)
    case frame([UInt8])
    case closed
}

extension TunnelOpener {
    /// Opens a tunnel, and tells what happens on it until it ends.
    ///
    /// - Parameter opened: takes the connection; false when it is no longer needed.
    func use(
        _ request: TunnelRequest, opened: (TunnelConnection) async -> Bool, news: (TunnelNews) -> Void
    ) async {
        let connection: TunnelConnection
        do {
            connection = try await open(request)
        } catch {
            return news(.failed(error))
        }
        guard await opened(connection) else { return connection.close() }
        for await message in connection.messages { news(.frame(message)) }
        news(.closed)
    }
}

extension HybridInitiator.Event {
    init(_ news: TunnelNews) {
        switch news {
        case .failed(let error): self = .tunnelFailed(status: error.status, reason: "\(error)")
        case .frame(let message): self = .frame(message)
        case .closed: self = .tunnelClosed
        }
    }
}

extension HybridAuthenticator.Event {
    init(_ news: TunnelNews) {
        switch news {
        case .failed(let error): self = .tunnelFailed(status: error.status, reason: "\(error)")
        case .frame(let message): self = .frame(message)
        case .closed: self = .tunnelClosed
        }
    }
}

extension TunnelError {
    /// The HTTP status of the service's refusal; nil where it was not reached.
    fileprivate var status: Int? {
        if case .refused(let status, _) = self { status } else { nil }
    }
}
