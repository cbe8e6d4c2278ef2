import CTAP
import Testing
import WebAuthnClient

struct OriginTests {
    @Test(arguments: [
        "https://example.org", "https://example.org:8443", "http://localhost:3000", "https://xn--bcher-kva.example",
        "https://192.168.0.1", "http://[::1]:8080", "https://a-b.c0.example", "chrome-extension://abcdef",
        "http://example.org:443",
    ])
    func aSerialisedOriginIsReadAndWrittenUnchanged(_ text: String) throws {
        #expect(try Origin(parsing: text).description == text)
    }

    @Test(
        arguments: [
            ("example.org", .scheme), ("", .scheme), ("null", .scheme), ("HTTPS://example.org", .scheme),
            ("://example.org", .scheme), ("1https://example.org", .scheme), ("https://", .host),
            ("https://Example.org", .host), ("https://bücher.example", .host), ("https://a..b", .host),
            ("https://example.org.", .host), ("https://-a.example", .host), ("https://1.2.3", .host),
            ("https://1.2.3.256", .host), ("https://01.2.3.4", .host), ("https://[::1", .host),
            ("https://[example]", .host), ("https://[]", .host), ("https://example.org/", .path),
            ("https://user@example.org", .path), ("https://example.org?q", .path), ("https://example.org:", .port),
            ("https://example.org:65536", .port), ("https://example.org:080", .port),
            ("https://example.org:+1", .port), ("https://[::1]x", .port), ("https://example.org:443", .defaultPort),
            ("http://localhost:80", .defaultPort),
        ] as [(String, Origin.ParsingError)])
    func anInvalidOriginIsRefusedWithItsWrongPart(_ row: (text: String, error: Origin.ParsingError)) {
        #expect(throws: row.error) { try Origin(parsing: row.text) }
    }

    @Test(
        arguments: [
            ("https://example.org", nil, "example.org"), ("https://example.org", "example.org", "example.org"),
            ("https://login.example.org:8443", "example.org", "example.org"),
            ("https://a.b.example.org", "b.example.org", "b.example.org"),
            ("http://localhost:3000", nil, "localhost"), ("http://localhost", "localhost", "localhost"),
            ("https://localhost", "localhost", "localhost"), ("http://app.localhost", nil, "app.localhost"),
            ("https://shop.example.co.uk", "example.co.uk", "example.co.uk"),
            // A host that is itself a public suffix may speak for itself.
            ("https://github.io", "github.io", "github.io"),
        ] as [(String, String?, String)])
    func anOriginMayClaim(_ row: (origin: String, claimed: String?, relyingPartyID: String)) throws {
        #expect(try Origin(parsing: row.origin).relyingPartyID(claiming: row.claimed) == row.relyingPartyID)
    }

    @Test(
        arguments: [
            ("http://example.org", nil, "client.insecureOrigin"),
            ("http://example.org", "example.org", "client.insecureOrigin"),
            ("ftp://localhost", nil, "client.insecureOrigin"),
            ("https://127.0.0.1", nil, "client.originIsAddress"),
            ("http://127.0.0.1", "127.0.0.1", "client.originIsAddress"),
            ("http://[::1]:8080", "localhost", "client.originIsAddress"),
            ("https://example.org", "example.com", "client.rpIDMismatch"),
            ("https://example.org", "login.example.org", "client.rpIDMismatch"),
            ("https://notexample.org", "example.org", "client.rpIDMismatch"),
            ("https://example.org", "Example.org", "client.rpIDMismatch"),
            ("https://example.org", "", "client.rpIDMismatch"),
            ("https://example.org", ".org", "client.rpIDMismatch"),
            ("https://example.org", "https://example.org", "client.rpIDMismatch"),
            ("https://example.org", "org", "client.rpIDSingleLabel"),
            ("https://intranet", nil, "client.rpIDSingleLabel"),
            ("http://app.localhost", "localhost", "client.rpIDSingleLabel"),
            ("https://example.co.uk", "co.uk", "client.rpIDPublicSuffix"),
            ("https://me.github.io", "github.io", "client.rpIDPublicSuffix"),
            ("https://example.xn--55qx5d.cn", "xn--55qx5d.cn", "client.rpIDPublicSuffix"),
            ("https://example.foo.ck", "foo.ck", "client.rpIDPublicSuffix"),
        ] as [(String, String?, String)])
    func anOriginMayNotClaim(_ row: (origin: String, claimed: String?, reason: String)) throws {
        let origin = try Origin(parsing: row.origin)
        let error = #expect(throws: WebAuthnClientError.self) { try origin.relyingPartyID(claiming: row.claimed) }
        #expect(error?.domException == .securityError)
        #expect(error?.reason.label == row.reason)
    }

    @Test func anAppMayClaimTheDomainsAssociatedWithIt() throws {
        let app = Origin.app(facet: "android:apk-key-hash:q83v", associatedDomains: ["example.org", "example.com"])
        #expect(app.description == "android:apk-key-hash:q83v")
        #expect(try app.relyingPartyID(claiming: "example.com") == "example.com")
        let stranger = #expect(throws: WebAuthnClientError.self) { try app.relyingPartyID(claiming: "example.net") }
        #expect(stranger?.reason == .rpIDNotAssociated)
        let silent = #expect(throws: WebAuthnClientError.self) { try app.relyingPartyID(claiming: nil) }
        #expect(silent?.reason == .rpIDMissing)
    }
}
