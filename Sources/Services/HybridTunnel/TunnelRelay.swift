internal import CTAPHybrid
internal import LoopbackHTTP
internal import Synchronization

/// Decides about the connections of a ``TunnelService``, and hands their messages on.
final class TunnelRelay: SecureSocketEndpoint {
    private struct State {
        var tunnels = TunnelTable<MessageSocket>()
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

    func decide(_ request: SecureSocketServer.Request) -> SecureSocketServer.Decision {
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
    ) throws(TunnelTable<MessageSocket>.Refusal) -> SecureSocketServer.Decision {
        var fields = [("Sec-WebSocket-Protocol", TunnelRequest.subprotocol)]
        switch TunnelRequest.Endpoint(path: request.target) {
        case .new(let tunnelID):
            let refusal = state.value(in: tunnelID) { if case .refusesPhone(let status) = $0 { status } else { nil } }
            if let refusal { return .refuse(status: refusal) }
            guard let routingID = RoutingID(random(RoutingID.length)) else { throw .tooMany }
            try state.tunnels.reserve(tunnelID, routingID: routingID)
            fields.append((TunnelRequest.routingIDHeader, routingID.headerValue))
        case .connect(let routingID, let tunnelID):
            let refusal = state.value(in: tunnelID) { fault in
                if case .refuses(let status, let location) = fault { (status, location) } else { nil }
            }
            if let (status, location) = refusal {
                return .refuse(status: status, fields: location.map { [("Location", $0)] } ?? [])
            }
            try state.tunnels.takePlace(tunnelID, routingID)
        case .contact: throw .gone
        case nil: throw .unknownPath
        }
        return .open(fields: fields)
    }

    func serve(_ socket: MessageSocket, of request: SecureSocketServer.Request) async {
        let place: (id: [UInt8], end: TunnelEnd)? =
            switch TunnelRequest.Endpoint(path: request.target) {
            case .new(let id): (id, .phone)
            case .connect(_, let id): (id, .client)
            case .contact, nil: nil
            }
        guard let place, let drops = join(socket, place) else { return socket.close() }
        if drops { return end(place.id) }
        for await message in socket.messages {
            guard hand(message, on: place) else { break }
        }
        end(place.id)
    }

    /// Joins a tunnel, and gets the messages that waited; returns whether a fault ends it at once, or nil without a tunnel.
    private func join(_ socket: MessageSocket, _ place: (id: [UInt8], end: TunnelEnd)) -> Bool? {
        // Under the lock no later message overtakes those that waited; sending does not block.
        state.withLock { state in
            guard let joined = state.tunnels.add(socket, place.end, to: place.id) else { return nil }
            for message in joined.messages { socket.send(message) }
            guard joined.hasBothEnds else { return false }
            return state.value(in: place.id) { $0 == .drops(after: 0) ? true : nil } ?? false
        }
    }

    /// Hands a message on; returns whether the tunnel goes on.
    private func hand(_ message: [UInt8], on place: (id: [UInt8], end: TunnelEnd)) -> Bool {
        state.withLock { state in
            if state.value(in: place.id, { $0 == .isSilent ? true : nil }) ?? false { return true }
            guard let routed = state.tunnels.route(message, from: place.end, in: place.id) else { return false }
            routed.other?.send(message)
            let drops = state.value(in: place.id) { fault in
                if case .drops(let count) = fault, count > 0, routed.number >= count { true } else { nil }
            }
            return drops == nil
        }
    }

    private func end(_ tunnelID: [UInt8]) {
        for socket in state.withLock({ $0.tunnels.remove(tunnelID) }) { socket.close() }
    }
}
