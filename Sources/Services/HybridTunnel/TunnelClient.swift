package import CTAPHybrid
internal import LoopbackHTTP

/// The way of both ends to a tunnel service.
package struct TunnelClient: Sendable {
    private enum Place {
        /// A service on this computer, with the certificate of its authority in DER.
        case local(port: Int, authority: [UInt8])
        /// The public services, by the names of their domains.
        case network
    }

    private let place: Place

    /// The public services on the network.
    package static let network = TunnelClient(place: .network)

    private init(place: Place) { self.place = place }

    /// A service on this computer that answers for every domain.
    package init(to service: TunnelService) {
        place = .local(port: service.port, authority: service.authority.certificate)
    }

    /// A service on this computer, in another process.
    ///
    /// - Parameter authority: the certificate of its authority, in DER.
    package init(port: Int, authority: [UInt8]) { place = .local(port: port, authority: authority) }

    /// Opens a connection.
    ///
    /// - Throws: ``TunnelError``.
    package func open(_ request: TunnelRequest) async throws(TunnelError) -> TunnelConnection {
        guard let host = request.domain.host else { throw .unassignedDomain(request.domain.rawValue) }
        let (port, tls) =
            switch place {
            case .local(let port, let authority): (port, ClientTLS(host: host, trusting: authority))
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
}

/// An open connection to a tunnel service.
package struct TunnelConnection: Sendable {
    /// The messages of the other end, until the tunnel ends.
    package var messages: AsyncStream<[UInt8]> { socket.messages }
    /// The routing ID that the service gave a phone; nil for another end, or where it cannot be read.
    package let routingID: RoutingID?
    private let socket: MessageSocket

    fileprivate init(_ opened: MessageSocket.Opened) {
        socket = opened.socket
        routingID = opened.value(of: TunnelRequest.routingIDHeader).flatMap(RoutingID.init(headerValue:))
    }

    package func send(_ message: [UInt8]) { socket.send(message) }

    package func close() { socket.close() }
}

/// The reason why there is no tunnel.
package enum TunnelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The advert names a domain without a host.
    case unassignedDomain(UInt16)
    case refused(status: Int, location: String?)
    case unreachable(String)

    package var description: String {
        switch self {
        case .unassignedDomain(let number):
            "The advert names tunnel domain \(number), which stands for no host. Use 0, 1, or a number from 256 on."
        case .refused(let status, let location):
            "The tunnel service refuses the connection with HTTP status \(status)"
                + (location.map { " and leads to \($0), where hybrid clients do not follow." } ?? ".")
                + (status == TunnelRequest.goneStatus ? " Scan the QR code again: no phone waits in this tunnel." : "")
        case .unreachable(let reason): "The tunnel service cannot be reached: \(reason). Start it, or check its port."
        }
    }
}
