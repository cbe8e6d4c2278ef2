import CTAPHybrid
import TestSupport
import Testing

/// CTAP 2.3 §11.5.
@Suite("Tunnel services")
struct TunnelTests {
    @Test(
        arguments: [
            (0, "cable.ua5v.com"), (1, "cable.auth.com"), (2, nil), (255, nil), (266, "cable.wufkweyy3uaxb.com"),
            (0xF980, "cable.my4kstlhndi4c.net"),
        ] as [(UInt16, String?)])
    func aDomainHasItsHost(number: UInt16, host: String?) {
        #expect(TunnelDomain(rawValue: number).host == host)
    }

    @Test func everyHashedDomainHasAHost() {
        let hosts = (256...UInt16.max).compactMap { TunnelDomain(rawValue: $0).host }
        #expect(hosts.count == 65_536 - 256)
        #expect(hosts.allSatisfy { $0.hasPrefix("cable.") && $0.split(separator: ".").count == 3 })
    }

    private static let tunnelID = [UInt8](hex: "367CBBF5F5085DF4098476AFE4B9B1D2")

    @Test func theURLsAreThePublishedOnes() throws {
        let routingID = try #require(RoutingID([2, 0x65, 0x55]))
        let new = TunnelRequest(domain: .google, endpoint: .new(tunnelID: Self.tunnelID))
        #expect(new.url == "wss://cable.ua5v.com/cable/new/367CBBF5F5085DF4098476AFE4B9B1D2")
        let connect = TunnelRequest(domain: .google, endpoint: .connect(routingID, tunnelID: Self.tunnelID))
        #expect(connect.url == "wss://cable.ua5v.com/cable/connect/026555/367CBBF5F5085DF4098476AFE4B9B1D2")
        let contact = TunnelRequest(domain: .apple, endpoint: .contact(contactID: [0xFB, 0xEF, 0xFF, 1]))
        #expect(contact.url == "wss://cable.auth.com/cable/contact/--__AQ")
        #expect(TunnelRequest(domain: TunnelDomain(rawValue: 255), endpoint: .new(tunnelID: Self.tunnelID)).url == nil)
        for request in [new, connect, contact] {
            #expect(TunnelRequest.Endpoint(path: request.endpoint.path) == request.endpoint)
        }
    }

    @Test(arguments: [
        "", "/", "/cable", "/cable/new", "/cable/new/", "/cable/new/00", "cable/new/367CBBF5F5085DF4098476AFE4B9B1D2",
        "/cable/new/367CBBF5F5085DF4098476AFE4B9B1D2/", "/cable/new/367CBBF5F5085DF4098476AFE4B9B1DX",
        "/cable/connect/026555", "/cable/connect/0265/367CBBF5F5085DF4098476AFE4B9B1D2", "/cable/contact/",
        "/cable/contact/+", "/cable/else/367CBBF5F5085DF4098476AFE4B9B1D2",
        "/other/new/367CBBF5F5085DF4098476AFE4B9B1D2",
    ])
    func otherPathsAreRefused(path: String) {
        #expect(TunnelRequest.Endpoint(path: path) == nil)
    }

    @Test(arguments: [nil, .getAssertion, .makeCredential] as [QROperation?])
    func aContactRequestIsReadBack(operation: QROperation?) throws {
        let payload = ClientPayload(linkID: Sample.bytes(8), clientNonce: Sample.bytes(16), operation: operation)
        #expect(try ClientPayload(headerValue: payload.headerValue) == payload)
        #expect(try ClientPayload(headerValue: payload.headerValue.lowercased()) == payload)
    }

    @Test(arguments: [
        ("A1", ClientPayloadError.notAMap), ("XY", .notHexadecimal), ("A", .notHexadecimal), ("", .notAMap),
        ("01", .notAMap), ("A0", .linkID), ("A1014100", .linkID), ("A1014801020304050607FF", .clientNonce),
        ("A2014801020304050607FF024100", .clientNonce),
        ("A3014801020304050607FF0250000102030405060708090A0B0C0D0E0F0300", .operation),
        (String(repeating: "00", count: 1025), .notHexadecimal),
    ])
    func otherContactRequestsAreRefused(header: String, error: ClientPayloadError) {
        #expect(throws: error) { try ClientPayload(headerValue: header) }
    }
}
