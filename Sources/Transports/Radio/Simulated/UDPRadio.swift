internal import Synchronization

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

    private let socket: MulticastSocket
    private let number: UInt64
    private let environment: RadioEnvironment
    private let state: Mutex<State>

    /// Opens a radio; it hears and is heard until ``close()``.
    ///
    /// - Throws: ``RadioError/socket(_:)`` when the group cannot be joined.
    package static func open(
        _ configuration: Configuration = Configuration(), environment: RadioEnvironment
    ) async throws(RadioError) -> UDPRadio {
        let socket = try await MulticastSocket.open(group: configuration.group, port: configuration.port)
        let radio = UDPRadio(socket: socket, conditions: configuration.conditions, environment: environment)
        try await socket.join { radio.receive($0, from: $1) }
        return radio
    }

    private init(socket: MulticastSocket, conditions: RadioConditions, environment: RadioEnvironment) {
        self.socket = socket
        self.environment = environment
        number = environment.random()
        state = Mutex(State(conditions: conditions))
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
        await socket.close()
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
        await socket.send(datagram)
    }

    private func receive(_ bytes: [UInt8], from sender: MulticastSocket.Sender) {
        guard sender == .thisComputer, let datagram = AdvertDatagram(bytes: bytes) else {
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
