internal import CTAPHybrid
internal import LoopbackHTTP
internal import Synchronization

/// Decides about the connections of a ``TunnelService``, and hands their messages on.
final class TunnelRelay: SecureSocketEndpoint {
    /// An end's place in a tunnel.
    struct Place: Sendable {
        let tunnelID: [UInt8]
        let end: TunnelEnd
        /// The linked phone that the client's arrival calls, and how.
        var call: (contactID: [UInt8], contact: TunnelContact)?
    }

    private struct Contacts {
        let number: Int
        let feed: AsyncStream<TunnelContact>.Continuation
    }

    private struct State {
        var tunnels = TunnelTable<MessageSocket>()
        var contacts: [[UInt8]: Contacts] = [:]
        var lastNumber = 0
        var faults: [[UInt8]: ArmedTunnel] = [:]

        /// The first value that a fault of a tunnel has, which then has its effect.
        func value<Value>(in tunnelID: [UInt8], _ value: (TunnelFault) -> Value?) -> Value? {
            guard let armed = faults[tunnelID] else { return nil }
            for fault in armed.faults {
                guard let found = value(fault) else { continue }
                armed.onEffect(fault)
                return found
            }
            return nil
        }

        /// The refusal of an end that a fault makes; nil for none.
        func refusal(in tunnelID: [UInt8]) -> SecureSocketServer.Decision<Place>? {
            value(in: tunnelID) { fault in
                guard case .refuses(let status, let location) = fault else { return nil }
                return .refuse(status: status, fields: location.map { [("Location", $0)] } ?? [])
            }
        }
    }

    private struct ArmedTunnel {
        let faults: [TunnelFault]
        let onEffect: @Sendable (TunnelFault) -> Void
    }

    let largestMessage = TunnelService.largestMessage
    private let random: @Sendable (Int) -> [UInt8]
    private let state = Mutex(State())

    init(random: @escaping @Sendable (Int) -> [UInt8]) { self.random = random }

    /// Whether an origin is that of a tunnel service itself.
    private static func isOwn(_ origin: String) -> Bool {
        TunnelDomain.assignedHosts.contains { origin == "https://\($0)" }
    }

    func arm(_ faults: [TunnelFault], in tunnelID: [UInt8], _ onEffect: @escaping @Sendable (TunnelFault) -> Void) {
        state.withLock { $0.faults[tunnelID] = ArmedTunnel(faults: faults, onEffect: onEffect) }
    }

    func endFaults(in tunnelID: [UInt8]) { state.withLock { $0.faults[tunnelID] = nil } }

    /// The requests for a contact ID.
    func contacts(of contactID: [UInt8]) -> AsyncStream<TunnelContact> {
        let (stream, feed) = AsyncStream.makeStream(of: TunnelContact.self, bufferingPolicy: .bufferingNewest(1))
        let (number, former) = state.withLock { state in
            state.lastNumber += 1
            let former = state.contacts.updateValue(Contacts(number: state.lastNumber, feed: feed), forKey: contactID)
            return (state.lastNumber, former)
        }
        feed.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                if state.contacts[contactID]?.number == number { state.contacts[contactID] = nil }
            }
        }
        former?.feed.finish()
        return stream
    }

    func decide(_ request: SecureSocketServer.Request) -> SecureSocketServer.Decision<Place> {
        // A page of the browser is not an end of a tunnel.
        if let origin = request.value(of: "Origin"), origin.lowercased().hasPrefix("http"), !Self.isOwn(origin) {
            return .refuse(status: 403)
        }
        guard request.value(of: "Sec-WebSocket-Protocol")?.contains(TunnelRequest.subprotocol) == true else {
            return .refuse(status: 400)
        }
        return state.withLock { state in
            do throws(TunnelTable<MessageSocket>.Refusal) {
                return try decide(request, &state)
            } catch {
                return .refuse(status: error.rawValue)
            }
        }
    }

    private func decide(
        _ request: SecureSocketServer.Request, _ state: inout State
    ) throws(TunnelTable<MessageSocket>.Refusal) -> SecureSocketServer.Decision<Place> {
        let protocolField = ("Sec-WebSocket-Protocol", TunnelRequest.subprotocol)
        switch TunnelRequest.Endpoint(path: request.target) {
        case .new(let tunnelID):
            let refusal = state.value(in: tunnelID) { if case .refusesPhone(let status) = $0 { status } else { nil } }
            if let refusal { return .refuse(status: refusal) }
            guard let routingID = RoutingID(random(RoutingID.length)) else { throw .tooMany }
            try state.tunnels.reserve(tunnelID, routingID: routingID)
            return .open(
                Place(tunnelID: tunnelID, end: .phone),
                fields: [protocolField, (TunnelRequest.routingIDHeader, routingID.headerValue)])
        case .connect(let routingID, let tunnelID):
            if let refusal = state.refusal(in: tunnelID) { return refusal }
            let end = try state.tunnels.takePlace(tunnelID, routingID)
            return .open(Place(tunnelID: tunnelID, end: end), fields: [protocolField])
        case .contact(let contactID):
            return .open(try contact(contactID, request, &state), fields: [protocolField])
        case nil: throw .unknownPath
        }
    }

    /// Makes a tunnel for a client that reaches for a linked phone.
    private func contact(
        _ contactID: [UInt8], _ request: SecureSocketServer.Request, _ state: inout State
    ) throws(TunnelTable<MessageSocket>.Refusal) -> Place {
        guard state.contacts[contactID] != nil else { throw .gone }
        guard let header = request.value(of: TunnelRequest.clientPayloadHeader),
            let payload = try? ClientPayload(headerValue: header)
        else { throw .malformed }
        guard let routingID = RoutingID(random(RoutingID.length)) else { throw .tooMany }
        let tunnelID = random(KeyPurpose.tunnelID.length)
        try state.tunnels.reserve(tunnelID, routingID: routingID, for: .client)
        let tunnel = TunnelRequest(domain: TunnelService.domain, endpoint: .connect(routingID, tunnelID: tunnelID))
        return Place(
            tunnelID: tunnelID, end: .client,
            call: (contactID, TunnelContact(payload: payload, request: tunnel)))
    }

    func serve(_ socket: MessageSocket, at place: Place) async {
        guard let drops = join(socket, place) else { return socket.close() }
        if drops { return end(place.tunnelID) }
        if let call = place.call {
            state.withLock { state in _ = state.contacts[call.contactID]?.feed.yield(call.contact) }
        }
        for await message in socket.messages {
            guard hand(message, on: place) else { break }
        }
        end(place.tunnelID)
    }

    func free(_ place: Place) {
        for socket in state.withLock({ $0.tunnels.free(place.end, of: place.tunnelID) }) { socket.close() }
    }

    /// Joins a tunnel, and gets the messages that waited; returns whether a fault ends it at once, or nil without a tunnel.
    private func join(_ socket: MessageSocket, _ place: Place) -> Bool? {
        // Under the lock no later message overtakes those that waited; sending does not block.
        state.withLock { state in
            guard let joined = state.tunnels.add(socket, place.end, to: place.tunnelID) else { return nil }
            for message in joined.messages { socket.send(message) }
            guard joined.hasBothEnds else { return false }
            return state.value(in: place.tunnelID) { $0 == .drops(after: 0) ? true : nil } ?? false
        }
    }

    /// Hands a message on; returns whether the tunnel goes on.
    private func hand(_ message: [UInt8], on place: Place) -> Bool {
        state.withLock { state in
            if state.value(in: place.tunnelID, { $0 == .isSilent ? true : nil }) ?? false { return true }
            guard let routed = state.tunnels.route(message, from: place.end, in: place.tunnelID) else { return false }
            routed.other?.send(message)
            let drops = state.value(in: place.tunnelID) { fault in
                if case .drops(let count) = fault, count > 0, routed.number >= count { true } else { nil }
            }
            return drops == nil
        }
    }

    private func end(_ tunnelID: [UInt8]) {
        for socket in state.withLock({ $0.tunnels.remove(tunnelID) }) { socket.close() }
    }
}
