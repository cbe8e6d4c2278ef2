import CTAPHybrid
import Foundation
import HybridTunnel
import Testing

struct TunnelServiceTests {
    private static let tunnelID = (0..<16).map { UInt8($0) }

    private static func with(
        _ fault: TunnelFault? = nil, _ use: (TunnelService, TunnelClient) async throws -> Void
    ) async throws {
        let authority = try TunnelAuthority(hosts: TunnelDomain.assignedHosts, now: Date())
        let service = try await TunnelService.start(authority: authority) { [UInt8](repeating: 0xAB, count: $0) }
        service.arm(fault.map { [$0] } ?? [], in: tunnelID)
        do {
            try await use(service, TunnelClient(to: service))
        } catch {
            await service.stop()
            throw error
        }
        await service.stop()
    }

    private static func phone(_ client: TunnelClient) async throws -> TunnelConnection {
        try await client.open(TunnelRequest(domain: .google, endpoint: .new(tunnelID: tunnelID)))
    }

    private static func other(
        _ client: TunnelClient, _ routingID: RoutingID? = RoutingID([0xAB, 0xAB, 0xAB]), domain: TunnelDomain = .google
    ) async throws -> TunnelConnection {
        try await client.open(
            TunnelRequest(domain: domain, endpoint: .connect(try #require(routingID), tunnelID: tunnelID)))
    }

    private static func messages(_ connection: TunnelConnection, _ count: Int) async -> [[UInt8]] {
        var found: [[UInt8]] = []
        for await message in connection.messages {
            found.append(message)
            if found.count == count { break }
        }
        return found
    }

    @Test("The messages of each end arrive at the other in order, also those that were sent before it came")
    func relays() async throws {
        try await Self.with { _, client in
            let phone = try await Self.phone(client)
            #expect(phone.routingID == RoutingID([0xAB, 0xAB, 0xAB]))
            phone.send([1])
            phone.send([2, 3])
            let other = try await Self.other(client, domain: .apple)
            #expect(await Self.messages(other, 2) == [[1], [2, 3]])
            let long = [UInt8](repeating: 7, count: 100_000)
            other.send(long)
            #expect(await Self.messages(phone, 1) == [long])
            other.close()
            #expect(await Self.messages(phone, 1).isEmpty)
        }
    }

    @Test("The other end without a phone, or with another routing ID, gets 410")
    func noPhoneWaits() async throws {
        try await Self.with { _, client in
            await #expect(throws: TunnelError.refused(status: 410, location: nil)) { try await Self.other(client) }
            _ = try await Self.phone(client)
            await #expect(throws: TunnelError.refused(status: 410, location: nil)) {
                try await Self.other(client, RoutingID([0, 0, 1]))
            }
        }
    }

    @Test("A second phone and a second other end get 409")
    func taken() async throws {
        try await Self.with { _, client in
            _ = try await Self.phone(client)
            await #expect(throws: TunnelError.refused(status: 409, location: nil)) { try await Self.phone(client) }
            _ = try await Self.other(client)
            await #expect(throws: TunnelError.refused(status: 409, location: nil)) { try await Self.other(client) }
        }
    }

    @Test("A contact ID without a phone gets 410, and an unassigned domain no connection")
    func unknown() async throws {
        try await Self.with { _, client in
            await #expect(throws: TunnelError.refused(status: 410, location: nil)) {
                try await client.open(TunnelRequest(domain: .google, endpoint: .contact(contactID: [1, 2])))
            }
            await #expect(throws: TunnelError.unassignedDomain(255)) {
                try await client.open(
                    TunnelRequest(domain: TunnelDomain(rawValue: 255), endpoint: .new(tunnelID: Self.tunnelID)))
            }
        }
    }

    @Test("The contact of another end reaches the phone that waits for it, with its payload, and both are joined")
    func contacts() async throws {
        try await Self.with { service, client in
            let contactID: [UInt8] = [1, 2, 3]
            let replaced = service.contacts(of: contactID)
            let contacts = service.contacts(of: contactID)
            for await _ in replaced { Issue.record("The later reader takes the place of the earlier one.") }
            let payload = ClientPayload(
                linkID: [UInt8](repeating: 1, count: 8), clientNonce: [UInt8](repeating: 2, count: 16),
                operation: .makeCredential)
            let request = TunnelRequest(
                domain: .google, endpoint: .contact(contactID: contactID), clientPayload: payload)
            let other = try await client.open(request)
            var seen: TunnelContact?
            for await contact in contacts {
                seen = contact
                break
            }
            let contact = try #require(seen)
            #expect(contact.payload == payload)
            other.send([1])
            let phone = try await client.open(contact.request)
            #expect(await Self.messages(phone, 1) == [[1]])
            phone.send([2])
            #expect(await Self.messages(other, 1) == [[2]])
            // The tunnel has its two ends.
            await #expect(throws: TunnelError.refused(status: 409, location: nil)) {
                try await client.open(contact.request)
            }
            await #expect(throws: TunnelError.refused(status: 400, location: nil)) {
                try await client.open(TunnelRequest(domain: .google, endpoint: .contact(contactID: contactID)))
            }
        }
    }

    @Test("A client that trusts another authority gets no connection")
    func certificate() async throws {
        let stranger = try TunnelAuthority(hosts: TunnelDomain.assignedHosts, now: Date())
        try await Self.with { service, _ in
            let client = TunnelClient(port: service.port, authority: stranger.certificate)
            let error = await #expect(throws: TunnelError.self) { try await Self.phone(client) }
            guard case .unreachable(let reason)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("certificate is not trusted"))
        }
    }

    @Test(
        "A refusal by a fault has its status, and the place of a redirect",
        arguments: [
            (TunnelFault.refuses(status: 400), TunnelError.refused(status: 400, location: nil)),
            (
                .refuses(status: 302, location: "https://example.org/"),
                .refused(status: 302, location: "https://example.org/")
            ),
        ])
    func refusals(fault: TunnelFault, error: TunnelError) async throws {
        try await Self.with(fault) { _, client in
            let phone = try await Self.phone(client)
            await #expect(throws: error) { try await Self.other(client, phone.routingID) }
        }
    }

    @Test("A fault refuses the phone")
    func refusesPhone() async throws {
        try await Self.with(.refusesPhone(status: 503)) { _, client in
            await #expect(throws: TunnelError.refused(status: 503, location: nil)) { try await Self.phone(client) }
        }
    }

    @Test("A tunnel that drops hands on as many messages as its fault says", arguments: [1, 2])
    func drops(count: Int) async throws {
        try await Self.with { service, client in
            let phone = try await Self.phone(client)
            let other = try await Self.other(client, phone.routingID)
            // Both ends are there when the first message has arrived.
            other.send([9])
            #expect(await Self.messages(phone, 1) == [[9]])
            service.arm([.drops(after: 1 + count)], in: Self.tunnelID)
            for number in 0..<3 { other.send([UInt8(number)]) }
            #expect(await Self.messages(phone, 3) == (0..<count).map { [UInt8($0)] })
            #expect(await Self.messages(other, 1).isEmpty)
        }
    }

    @Test("A tunnel that drops at once closes both connections")
    func dropsAtOnce() async throws {
        try await Self.with(.drops(after: 0)) { _, client in
            let phone = try await Self.phone(client)
            let other = try await Self.other(client, phone.routingID)
            #expect(await Self.messages(phone, 1).isEmpty)
            #expect(await Self.messages(other, 1).isEmpty)
        }
    }

    @Test("A silent tunnel stays open, and hands nothing on")
    func silent() async throws {
        try await Self.with(.isSilent) { _, client in
            let phone = try await Self.phone(client)
            let other = try await Self.other(client, phone.routingID)
            for number in 0..<3 { other.send([UInt8(number)]) }
            // The tunnel is still there, and has its client.
            await #expect(throws: TunnelError.refused(status: 409, location: nil)) {
                try await Self.other(client, phone.routingID)
            }
            other.close()
            #expect(await Self.messages(phone, 1).isEmpty)
        }
    }
}
