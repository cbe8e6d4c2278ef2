internal import Foundation
import NIOCore
import NIOPosix

/// A UDP socket in a multicast group on the loopback interface.
struct MulticastSocket: Sendable {
    /// The computer that a datagram comes from.
    enum Sender: Sendable {
        case thisComputer
        case anotherComputer
    }

    private static let loopback: [UInt8] = [127, 0, 0, 1]

    private let channel: any Channel
    private let group: SocketAddress

    /// Opens a socket, which other processes open with the same group and port.
    ///
    /// - Throws: ``RadioError/socket(_:)``.
    static func open(group: String, port: Int) async throws(RadioError) -> MulticastSocket {
        do {
            let address = try SocketAddress(ipAddress: group, port: port)
            guard address.isMulticast, case .v4 = address else {
                throw RadioError.socket("\(group) is not a multicast group of IPv4; choose one of 239.255.0.0/16")
            }
            // The group's address as the socket's own keeps other datagrams of the port away.
            let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(to: address).get()
            return MulticastSocket(channel: channel, group: address)
        } catch {
            throw radioError(error, "\(group):\(port)")
        }
    }

    /// Joins the group; the socket closes when it cannot.
    ///
    /// - Parameter receive: Takes each datagram.
    /// - Throws: ``RadioError/socket(_:)``.
    func join(_ receive: @escaping @Sendable ([UInt8], Sender) -> Void) async throws(RadioError) {
        do {
            guard let options = channel as? any SocketOptionProvider else {
                throw RadioError.socket("the system has no multicast")
            }
            let octets = (group.ipAddress ?? "").split(separator: ".").compactMap { UInt8($0) }
            // `struct ip_mreq`: the group's address and the interface's, in the order of the network.
            let membership = (octets + Self.loopback).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
            let interface = Self.loopback.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            try await options.unsafeSetSocketOption(level: .ip, name: .ip_multicast_if, value: interface).get()
            try await options.setIPMulticastLoop(1).get()
            try await channel.pipeline.addHandler(DatagramHandler(receive: receive)).get()
            // NIO's own way to join refuses an interface without the flag for multicast, which Linux's loopback lacks.
            try await options.unsafeSetSocketOption(level: .ip, name: .ip_add_membership, value: membership).get()
        } catch {
            await close()
            throw Self.radioError(error, "\(group)")
        }
    }

    /// Sends a datagram to the group; one that the system does not take is lost, as on the air.
    func send(_ datagram: [UInt8]) async {
        try? await channel.writeAndFlush(
            AddressedEnvelope(remoteAddress: group, data: ByteBuffer(bytes: datagram)))
    }

    func close() async { try? await channel.close() }

    private static func radioError(_ error: any Error, _ place: String) -> RadioError {
        if let error = error as? RadioError { return error }
        let problem = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
        return .socket("\(place): \(problem); choose another group or port")
    }
}

/// Passes datagrams from the socket to a closure.
private final class DatagramHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let receive: @Sendable ([UInt8], MulticastSocket.Sender) -> Void

    init(receive: @escaping @Sendable ([UInt8], MulticastSocket.Sender) -> Void) { self.receive = receive }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        let isLocal = envelope.remoteAddress.ipAddress?.hasPrefix("127.") == true
        receive(Array(buffer: envelope.data), isLocal ? .thisComputer : .anotherComputer)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The error of one datagram does not end the radio.
    }
}
