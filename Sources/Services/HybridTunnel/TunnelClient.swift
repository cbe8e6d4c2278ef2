package import CTAPHybrid
internal import LoopbackHTTP

/// A way of both ends to tunnel services.
package protocol TunnelOpener: Sendable {
    /// Opens a connection.
    ///
    /// - Throws: ``TunnelError``.
    func open(_ request: TunnelRequest) async throws(TunnelError) -> TunnelConnection

    /// Whether the service is in this process, so that it can have faults.
    var hasFaults: Bool { get }

    /// Arms the faults of one tunnel of a service in this process, until ``endFaults(in:)``; another service has none.
    ///
    /// - Parameter onEffect: receives each fault that has an effect.
    func arm(
        _ faults: [TunnelFault], in tunnelID: [UInt8], onEffect: @escaping @Sendable (TunnelFault) -> Void
    ) async

    func endFaults(in tunnelID: [UInt8]) async
}

/// The way of both ends to one tunnel service, or to the public ones.
package struct TunnelClient: TunnelOpener {
    private enum Place {
        /// A service on this computer, with the certificate of its authority in DER.
        case local(port: Int, authority: [UInt8])
        /// A service of this process.
        case own(TunnelService)
        /// The public services, by the names of their domains.
        case network
    }

    private let place: Place

    /// The public services on the network.
    package static let network = TunnelClient(place: .network)

    private init(place: Place) { self.place = place }

    /// A service on this computer that answers for every domain.
    package init(to service: TunnelService) { place = .own(service) }

    /// A service on this computer, in another process.
    ///
    /// - Parameter authority: the certificate of its authority, in DER.
    package init(port: Int, authority: [UInt8]) { place = .local(port: port, authority: authority) }

    package var hasFaults: Bool { if case .own = place { true } else { false } }

    package func open(_ request: TunnelRequest) async throws(TunnelError) -> TunnelConnection {
        guard let host = request.domain.host else { throw .unassignedDomain(request.domain.rawValue) }
        let (port, tls) =
            switch place {
            case .local(let port, let authority): (port, ClientTLS(host: host, trusting: authority))
            case .own(let service): (service.port, ClientTLS(host: host, trusting: service.authority.certificate))
            case .network: (443, ClientTLS(host: host))
            }
        var secure = MessageSocket.SecureRequest(
            port: port, authority: host, target: request.endpoint.path, largestMessage: TunnelService.largestMessage)
        if case .network = place { secure.host = host }
        secure.fields = [("Sec-WebSocket-Protocol", TunnelRequest.subprotocol)]
        if let payload = request.clientPayload {
            secure.fields.append((TunnelRequest.clientPayloadHeader, payload.headerValue))
        }
        do {
            return TunnelConnection(try await MessageSocket.open(secure, tls: tls))
        } catch let refusal as SocketRefusal {
            throw .refused(status: refusal.status, location: refusal.location)
        } catch {
            throw .unreachable("\(error)")
        }
    }

    package func arm(
        _ faults: [TunnelFault], in tunnelID: [UInt8], onEffect: @escaping @Sendable (TunnelFault) -> Void
    ) {
        if case .own(let service) = place { service.arm(faults, in: tunnelID, onEffect: onEffect) }
    }

    package func endFaults(in tunnelID: [UInt8]) {
        if case .own(let service) = place { service.endFaults(in: tunnelID) }
    }
}
