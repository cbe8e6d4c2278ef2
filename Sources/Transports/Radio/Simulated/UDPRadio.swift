import NIOCore
import NIOPosix
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A radio that hears the other UDP radios of this computer, in any process.
///
/// A datagram is an ``AdvertDatagram`` to a multicast group on the loopback interface. Every radio joins the group, so that
/// none of them is a server. Datagrams of another form, and those from other computers, are ignored and counted. A listener
/// hears each broadcast once.
package final class UDPRadio: AdvertChannel {
    package struct Configuration: Hashable, Sendable {
        /// The multicast group, in the scope of a site (RFC 2365).
        package var group = "239.255.84.83"
        /// The group's port; radios with other ones do not hear each other.
        package var port = 8117
        package var conditions = RadioConditions()

        package init() {}
    }

    private struct Listener {
        let adverts: AsyncStream<Advert>.Continuation
        /// The broadcasts that the listener has heard.
        var heard: Set<HeardBroadcast> = []
    }

    /// The numbers of a broadcast and its radio.
    private struct HeardBroadcast: Hashable {
        let radio: UInt64
        let broadcast: UInt64
    }

    private struct State {
        var conditions: RadioConditions
        var lastNumber: UInt64 = 0
        var listeners: [UInt64: Listener] = [:]
        var broadcasts: [UInt64: Task<Void, any Error>] = [:]
        var ignoredDatagrams = 0
        var isClosed = false
    }

    /// The most broadcasts that a listener remembers, and the most adverts that wait for its reader.
    private static let mostRemembered = 1024

    private static let loopback: [UInt8] = [127, 0, 0, 1]

    private let channel: any Channel
    private let group: SocketAddress
    private let number: UInt64
    private let environment: RadioEnvironment
    private let state: Mutex<State>

    /// Opens a radio; it hears and is heard until ``close()``.
    ///
    /// - Throws: ``RadioError/socket(_:)`` when the group cannot be joined.
    package static func open(
        _ configuration: Configuration = Configuration(), environment: RadioEnvironment
    ) async throws(RadioError) -> UDPRadio {
        do {
            let group = try SocketAddress(ipAddress: configuration.group, port: configuration.port)
            let bootstrap = DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.socketOption(.so_reuseaddr), value: 1)
            let channel = try await bootstrap.bind(to: group).get()
            let radio = UDPRadio(
                channel: channel, group: group, conditions: configuration.conditions, environment: environment)
            do {
                try await radio.join()
            } catch {
                try? await channel.close()
                throw error
            }
            return radio
        } catch let error as RadioError {
            throw error
        } catch {
            let number = (error as? IOError)?.errnoCode
            let problem = number.map { String(cString: strerror($0)) } ?? "\(error)"
            throw .socket("\(configuration.group):\(configuration.port): \(problem)")
        }
    }

    private init(
        channel: any Channel, group: SocketAddress, conditions: RadioConditions, environment: RadioEnvironment
    ) {
        self.channel = channel
        self.group = group
        self.environment = environment
        number = environment.random()
        state = Mutex(State(conditions: conditions))
    }

    /// Joins the group on the loopback interface; NIO refuses one without the flag for multicast, which Linux's lacks.
    private func join() async throws {
        guard let options = channel as? any SocketOptionProvider else {
            throw RadioError.socket("the system has no multicast")
        }
        guard group.isMulticast, case .v4 = group, let octets = group.ipAddress?.split(separator: ".") else {
            throw RadioError.socket("\(group) is not a multicast group of IPv4; choose one of 239.255.0.0/16")
        }
        // `struct ip_mreq`: the group's address and the interface's, in the order of the network.
        let membership = octets.compactMap { UInt8($0) } + Self.loopback
        let interface = Self.loopback.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        try await options.unsafeSetSocketOption(level: .ip, name: .ip_multicast_if, value: interface).get()
        try await options.setIPMulticastLoop(1).get()
        try await channel.pipeline.addHandler(AdvertHandler(radio: self)).get()
        try await options.unsafeSetSocketOption(
            level: .ip, name: .ip_add_membership,
            value: membership.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        ).get()
    }

    /// The number of datagrams that were not adverts of this computer.
    package var ignoredDatagrams: Int { state.withLock { $0.ignoredDatagrams } }

    package var conditions: RadioConditions { state.withLock { $0.conditions } }

    /// Changes the conditions, also for adverts on the air.
    package func setConditions(_ conditions: RadioConditions) { state.withLock { $0.conditions = conditions } }

    package func broadcast(_ advert: Advert) async throws(RadioError) -> AdvertBroadcast {
        let key = try nextNumber()
        let datagram = AdvertDatagram(radio: number, broadcast: key, advert: advert).bytes
        await transmit(datagram)
        let repetition = Task {
            while true {
                try await environment.sleep(conditions.interval)
                await transmit(datagram)
            }
        }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.broadcasts[key] = repetition }
            return state.isClosed
        }
        if isClosed { repetition.cancel() }
        return AdvertBroadcast {
            repetition.cancel()
            self.state.withLock { _ = $0.broadcasts.removeValue(forKey: key) }
        }
    }

    package func adverts() async throws(RadioError) -> AsyncStream<Advert> {
        let key = try nextNumber()
        let (stream, adverts) = AsyncStream.makeStream(
            of: Advert.self, bufferingPolicy: .bufferingNewest(Self.mostRemembered))
        let isClosed = state.withLock { state in
            if !state.isClosed { state.listeners[key] = Listener(adverts: adverts) }
            return state.isClosed
        }
        guard !isClosed else { throw .closed }
        adverts.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: key) }
        }
        return stream
    }

    /// Ends the radio's broadcasts and streams, and closes its socket.
    package func close() async {
        let (listeners, broadcasts) = state.withLock { state in
            state.isClosed = true
            defer {
                state.listeners = [:]
                state.broadcasts = [:]
            }
            return (Array(state.listeners.values), Array(state.broadcasts.values))
        }
        for broadcast in broadcasts { broadcast.cancel() }
        for listener in listeners { listener.adverts.finish() }
        try? await channel.close()
    }

    private func nextNumber() throws(RadioError) -> UInt64 {
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { throw .closed }
        return number
    }

    private func transmit(_ datagram: [UInt8]) async {
        let conditions = conditions
        guard conditions.isInReach, !environment.loses(conditions.loss) else { return }
        // A datagram that the system does not take is lost, as on the air.
        try? await channel.writeAndFlush(
            AddressedEnvelope(remoteAddress: group, data: ByteBuffer(bytes: datagram)))
    }

    fileprivate func receive(_ bytes: [UInt8], from sender: SocketAddress) {
        guard sender.ipAddress?.hasPrefix("127.") == true, let datagram = AdvertDatagram(bytes: bytes) else {
            state.withLock { $0.ignoredDatagrams &+= 1 }
            return
        }
        guard datagram.radio != number else { return }
        let latency = conditions.latency
        let listeners = reached(by: datagram)
        guard latency > .zero, !listeners.isEmpty else {
            for listener in listeners { listener.yield(datagram.advert) }
            return
        }
        Task {
            try await environment.sleep(latency)
            for listener in listeners { listener.yield(datagram.advert) }
        }
    }

    /// The listeners that hear a datagram, which then have heard its broadcast.
    private func reached(by datagram: AdvertDatagram) -> [AsyncStream<Advert>.Continuation] {
        let broadcast = HeardBroadcast(radio: datagram.radio, broadcast: datagram.broadcast)
        return state.withLock { state in
            guard state.conditions.isInReach else { return [] }
            var reached: [AsyncStream<Advert>.Continuation] = []
            for key in state.listeners.keys.sorted() {
                guard var listener = state.listeners[key], !listener.heard.contains(broadcast),
                    !environment.loses(state.conditions.loss)
                else { continue }
                if listener.heard.count >= Self.mostRemembered { listener.heard = [] }
                listener.heard.insert(broadcast)
                state.listeners[key] = listener
                reached.append(listener.adverts)
            }
            return reached
        }
    }
}

/// Passes datagrams from the socket to the radio.
private final class AdvertHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let radio: UDPRadio

    init(radio: UDPRadio) { self.radio = radio }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        radio.receive(Array(buffer: envelope.data), from: envelope.remoteAddress)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error of one datagram, such as one that is too long, does not end the radio.
    }
}
