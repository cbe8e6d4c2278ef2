internal import CTAPHybrid

/// The end of a tunnel.
enum TunnelEnd: Hashable, Sendable, CaseIterable {
    /// The phone, which comes first unless it is linked.
    case phone
    /// A browser or another client.
    case client
}

/// The tunnels of a service, without sockets: the connections that belong together (CTAP 2.3 §11.5.4).
struct TunnelTable<Connection: Sendable>: Sendable {
    private struct Tunnel {
        let routingID: RoutingID
        var phone: Connection?
        var client: Connection?
        /// The ends whose requests were accepted, which connect a moment later.
        var accepted: Set<TunnelEnd>
        /// The messages of one end that wait for the other end.
        var waiting: [[UInt8]] = []
        var messageCount = 0
    }

    /// The reason why a request gets no tunnel, with the HTTP status.
    enum Refusal: Int, Error {
        /// A contact without a readable payload.
        case malformed = 400
        case unknownPath = 404
        /// The tunnel has its two ends, or a phone already waits in it.
        case taken = 409
        /// No phone waits in this tunnel, or a contact ID is no longer valid.
        case gone = 410
        case tooMany = 503
    }

    /// The result of joining a tunnel.
    struct Joined {
        /// The messages that waited for this end.
        let messages: [[UInt8]]
        let hasBothEnds: Bool
    }

    /// The number of tunnels that are open at once.
    static var mostTunnels: Int { 256 }
    /// The number of messages that wait for the other end.
    static var mostWaiting: Int { 16 }

    private var tunnels: [[UInt8]: Tunnel] = [:]

    /// Makes a tunnel with the place of its first end: of a phone, which advertises the routing ID, or of a client that contacts a
    /// linked phone.
    mutating func reserve(_ tunnelID: [UInt8], routingID: RoutingID, for end: TunnelEnd = .phone) throws(Refusal) {
        guard tunnels[tunnelID] == nil else { throw .taken }
        guard tunnels.count < Self.mostTunnels else { throw .tooMany }
        tunnels[tunnelID] = Tunnel(routingID: routingID, accepted: [end])
    }

    /// Takes the free place in a tunnel that the other end has opened.
    mutating func takePlace(_ tunnelID: [UInt8], _ routingID: RoutingID) throws(Refusal) -> TunnelEnd {
        guard var tunnel = tunnels[tunnelID], tunnel.routingID == routingID else { throw .gone }
        guard let free = TunnelEnd.allCases.first(where: { !tunnel.accepted.contains($0) }) else { throw .taken }
        tunnel.accepted.insert(free)
        tunnels[tunnelID] = tunnel
        return free
    }

    /// Frees the place of an end that has not connected; the tunnel ends with its first end.
    ///
    /// - Returns: the connections that end.
    mutating func free(_ end: TunnelEnd, of tunnelID: [UInt8]) -> [Connection] {
        guard var tunnel = tunnels[tunnelID] else { return [] }
        guard (end == .phone ? tunnel.client : tunnel.phone) != nil else { return remove(tunnelID) }
        tunnel.accepted.remove(end)
        tunnels[tunnelID] = tunnel
        return []
    }

    /// Adds a connection; nil where the tunnel has ended, or has this end.
    mutating func add(_ connection: Connection, _ end: TunnelEnd, to tunnelID: [UInt8]) -> Joined? {
        guard var tunnel = tunnels[tunnelID] else { return nil }
        switch end {
        case .phone where tunnel.phone == nil: tunnel.phone = connection
        case .client where tunnel.client == nil: tunnel.client = connection
        case .phone, .client: return nil
        }
        let joined = Joined(
            messages: tunnel.waiting, hasBothEnds: tunnel.phone != nil && tunnel.client != nil)
        tunnel.waiting = []
        tunnels[tunnelID] = tunnel
        return joined
    }

    /// Counts a message, and finds the other end, for which the message waits until it comes.
    ///
    /// - Returns: nil where the message has no place, and the tunnel ends.
    mutating func route(
        _ message: [UInt8], from end: TunnelEnd, in tunnelID: [UInt8]
    ) -> (other: Connection?, number: Int)? {
        guard var tunnel = tunnels[tunnelID] else { return nil }
        let other = end == .phone ? tunnel.client : tunnel.phone
        tunnel.messageCount += 1
        if other == nil {
            guard tunnel.waiting.count < Self.mostWaiting else { return nil }
            tunnel.waiting.append(message)
        }
        tunnels[tunnelID] = tunnel
        return (other, tunnel.messageCount)
    }

    /// Ends a tunnel; returns its connections.
    mutating func remove(_ tunnelID: [UInt8]) -> [Connection] {
        guard let tunnel = tunnels.removeValue(forKey: tunnelID) else { return [] }
        return [tunnel.phone, tunnel.client].compactMap(\.self)
    }
}
