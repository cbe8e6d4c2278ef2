package import CTAPHybrid
package import HybridTunnel

/// The tunnels between the programs of a user on this computer.
///
/// A process whose phone opens a tunnel has a ``TunnelService`` of its own, from the first one on. The other end finds it by a
/// file in a ``TunnelFolder``.
package actor TunnelsOfThisComputer: TunnelOpener, ContactSource {
    private let folder: TunnelFolder
    private let claims: TunnelClaims
    private var starting: Task<TunnelService, any Error>?
    /// The tunnels of the own service in which other ends wait for linked phones.
    private var contacted: Set<[UInt8]> = []

    package init(folder: TunnelFolder = .standard) { (self.folder, claims) = (folder, TunnelClaims(folder)) }

    package func open(_ request: TunnelRequest) async throws(TunnelError) -> TunnelConnection {
        let endpoint = request.endpoint
        let service: TunnelService
        switch endpoint {
        case .new: service = try await self.service()
        case .connect(_, let tunnelID) where contacted.contains(tunnelID):
            contacted.remove(tunnelID)
            return try await TunnelClient(to: try await self.service()).open(request)
        case .connect, .contact: return try await folder.place(of: endpoint).client.open(request)
        }
        // The other end looks for the file as soon as it sees the advert, which the phone sends with an open tunnel.
        let claim = try claims.write(TunnelPlace(of: service), for: endpoint)
        do {
            return try await TunnelClient(to: service).open(request).closing { [claims] in claims.end(claim) }
        } catch {
            claims.end(claim)
            throw error
        }
    }

    package nonisolated var hasFaults: Bool { true }

    package func arm(
        _ faults: [TunnelFault], in tunnelID: [UInt8], onEffect: @escaping @Sendable (TunnelFault) -> Void
    ) async {
        guard !faults.isEmpty else { return }
        try? await service().arm(faults, in: tunnelID, onEffect: onEffect)
    }

    package func endFaults(in tunnelID: [UInt8]) async { await (try? starting?.value)?.endFaults(in: tunnelID) }

    package func contacts(of contactID: [UInt8]) async throws(TunnelError) -> AsyncStream<TunnelContact> {
        let service = try await service()
        let endpoint = TunnelRequest.Endpoint.contact(contactID: contactID)
        let (stream, feed) = AsyncStream.makeStream(of: TunnelContact.self)
        let source = service.contacts(of: contactID)
        let claim = try claims.write(TunnelPlace(of: service), for: endpoint)
        let reading = Task {
            for await contact in source {
                note(contact)
                feed.yield(contact)
            }
            feed.finish()
        }
        feed.onTermination = { [claims] _ in
            reading.cancel()
            claims.end(claim)
        }
        return stream
    }

    private func note(_ contact: TunnelContact) {
        if case .connect(_, let tunnelID) = contact.request.endpoint { contacted.insert(tunnelID) }
    }

    /// Ends the service of this process.
    package func stop() async {
        guard let task = starting else { return }
        starting = nil
        await (try? task.value)?.stop()
    }

    private func service() async throws(TunnelError) -> TunnelService {
        let task = starting ?? Task { try await TunnelService.start() }
        starting = task
        do {
            return try await task.value
        } catch {
            starting = nil
            throw .unusable("\(error)")
        }
    }
}
