import CTAPHybrid
import Testing

@testable import HybridTunnel

/// The tunnels of a service, without sockets.
struct TunnelTableTests {
    private static let id: [UInt8] = [1]

    private static func table(_ end: TunnelEnd = .phone) throws -> (TunnelTable<String>, RoutingID) {
        var table = TunnelTable<String>()
        let routingID = try #require(RoutingID([1, 2, 3]))
        try table.reserve(id, routingID: routingID, for: end)
        return (table, routingID)
    }

    @Test("The place of a first end that never connects is free again", arguments: TunnelEnd.allCases)
    func firstEnd(end: TunnelEnd) throws {
        var (table, routingID) = try Self.table(end)
        #expect(throws: TunnelTable<String>.Refusal.taken) {
            try table.reserve(Self.id, routingID: routingID, for: end)
        }
        #expect(table.free(end, of: Self.id).isEmpty)
        try table.reserve(Self.id, routingID: routingID, for: end)
    }

    @Test("The place of a second end that never connects is free again, and the first end stays")
    func secondEnd() throws {
        var (table, routingID) = try Self.table()
        #expect(table.add("phone", .phone, to: Self.id) != nil)
        #expect(try table.takePlace(Self.id, routingID) == .client)
        #expect(throws: TunnelTable<String>.Refusal.taken) { try table.takePlace(Self.id, routingID) }
        #expect(table.free(.client, of: Self.id).isEmpty)
        #expect(try table.takePlace(Self.id, routingID) == .client)
        #expect(table.remove(Self.id) == ["phone"])
    }

    @Test("The second place of a tunnel for a linked phone is the phone's")
    func contact() throws {
        var (table, routingID) = try Self.table(.client)
        #expect(try table.takePlace(Self.id, routingID) == .phone)
        #expect(throws: TunnelTable<String>.Refusal.taken) { try table.takePlace(Self.id, routingID) }
    }

    @Test("Places that are freed leave room for others")
    func room() throws {
        var table = TunnelTable<String>()
        let routingID = try #require(RoutingID([1, 2, 3]))
        for number in 0..<2 * TunnelTable<String>.mostTunnels {
            let id = [UInt8(number & 255), UInt8(number >> 8)]
            try table.reserve(id, routingID: routingID)
            _ = table.free(.phone, of: id)
        }
        for number in 0..<TunnelTable<String>.mostTunnels {
            try table.reserve([UInt8(number & 255), UInt8(number >> 8)], routingID: routingID)
        }
        #expect(throws: TunnelTable<String>.Refusal.tooMany) { try table.reserve([9, 9, 9], routingID: routingID) }
    }
}
