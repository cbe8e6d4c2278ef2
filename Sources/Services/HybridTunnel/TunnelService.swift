package import CTAPHybrid
internal import Foundation
internal import LoopbackHTTP

/// A tunnel service of the hybrid transport on this computer: hands messages between a phone and another end, and reads none
/// (CTAP 2.3 §11.5.4).
///
/// | path | caller | answer |
/// |---|---|---|
/// | `/cable/new/TUNNELID` | a phone that scanned a QR code | 101 with `X-caBLE-Routing-ID` |
/// | `/cable/connect/ROUTINGID/TUNNELID` | the other end, after the advert; a linked phone, after a contact | 101, or 410 |
/// | `/cable/contact/CONTACTID` | the other end that reaches for a linked phone | 101, or 410 for an unknown contact ID |
///
/// It listens on 127.0.0.1 only, with TLS.
package struct TunnelService: Sendable {
    /// The service's number in adverts.
    package static let domain = TunnelDomain.google
    /// The largest message that an end may send, in bytes: a frame, or a handshake message, which is shorter.
    package static let largestMessage = HybridCrypter.longestFrame

    package let authority: TunnelAuthority
    package let port: Int
    private let server: SecureSocketServer
    let relay: TunnelRelay

    /// Starts a service; port 0 is a free one.
    ///
    /// - Parameter random: returns this many random bytes.
    /// - Throws: `SocketError` for a port that is taken, and the library's error.
    package static func start(
        port: Int = 0, authority: TunnelAuthority, random: @escaping @Sendable (Int) -> [UInt8]
    ) async throws -> TunnelService {
        let relay = TunnelRelay(random: random)
        let tls = try ServerTLS(certificate: authority.serviceCertificate, key: authority.serviceKey)
        let server = try await SecureSocketServer.start(port: port, tls: tls, relay)
        return TunnelService(authority: authority, port: server.port, server: server, relay: relay)
    }

    /// Starts a service on a free port, with an authority of its own for the public services' names and the system's random numbers.
    ///
    /// - Throws: the library's error.
    package static func start() async throws -> TunnelService {
        let authority = try TunnelAuthority(hosts: TunnelDomain.assignedHosts, now: Date())
        return try await start(authority: authority) { count in (0..<count).map { _ in .random(in: .min ... .max) } }
    }

    private init(authority: TunnelAuthority, port: Int, server: SecureSocketServer, relay: TunnelRelay) {
        (self.authority, self.port, self.server, self.relay) = (authority, port, server, relay)
    }

    /// Arms the faults of one tunnel, until ``endFaults(in:)``.
    ///
    /// - Parameter onEffect: receives each fault that has an effect.
    package func arm(
        _ faults: [TunnelFault], in tunnelID: [UInt8], onEffect: @escaping @Sendable (TunnelFault) -> Void = { _ in }
    ) {
        relay.arm(faults, in: tunnelID, onEffect)
    }

    package func endFaults(in tunnelID: [UInt8]) { relay.endFaults(in: tunnelID) }

    package func stop() async { await server.stop() }
}
