package import CTAPHybrid
internal import Foundation
package import HybridTunnel

/// The tunnels between the programs of a user on this computer.
///
/// A process whose phone opens a tunnel has a ``TunnelService`` of its own, from the first one on. The other end finds it by a
/// file in a ``TunnelFolder``.
package actor TunnelsOfThisComputer: TunnelOpener {
    private let folder: TunnelFolder
    private var starting: Task<TunnelService, any Error>?

    package init(folder: TunnelFolder = .standard) { self.folder = folder }

    package func open(_ request: TunnelRequest) async throws(TunnelError) -> TunnelConnection {
        let endpoint = request.endpoint
        guard case .new = endpoint else { return try await folder.place(of: endpoint).client.open(request) }
        let service = try await service()
        // The other end looks for the file as soon as it sees the advert, which the phone sends with an open tunnel.
        try folder.write(TunnelPlace(of: service), for: endpoint)
        do {
            return try await TunnelClient(to: service).open(request).closing { [folder] in folder.remove(endpoint) }
        } catch {
            folder.remove(endpoint)
            throw error
        }
    }

    package func arm(
        _ faults: [TunnelFault], in tunnelID: [UInt8], onEffect: @escaping @Sendable (TunnelFault) -> Void
    ) async {
        guard !faults.isEmpty else { return }
        try? await service().arm(faults, in: tunnelID, onEffect: onEffect)
    }

    package func endFaults(in tunnelID: [UInt8]) async { await (try? starting?.value)?.endFaults(in: tunnelID) }

    /// Ends the service of this process.
    package func stop() async {
        guard let task = starting else { return }
        starting = nil
        await (try? task.value)?.stop()
    }

    private func service() async throws(TunnelError) -> TunnelService {
        let task =
            starting
            ?? Task {
                let authority = try TunnelAuthority(hosts: TunnelDomain.assignedHosts, now: Date())
                return try await TunnelService.start(authority: authority) { count in
                    (0..<count).map { _ in .random(in: .min ... .max) }
                }
            }
        starting = task
        do {
            return try await task.value
        } catch {
            starting = nil
            throw .unusable("\(error)")
        }
    }
}
