import Foundation
import LoopbackHTTP
import Testing

@testable import RelyingPartyServer

@Suite struct SiteGuardTests {
    @Test(arguments: [
        ("http://localhost:PORT", 200), ("http://localhost:1", 403), ("https://localhost:PORT", 403), ("null", 403),
        ("https://evil.example", 403), ("https://shop.example", 200),
    ])
    func aBrowserOnAnotherSiteCannotChangeAnything(origin: String, status: Int) async throws {
        try await Site.run(configure: { $0.relatedOrigins = ["https://shop.example"] }) { site in
            let browser = try await site.browser(of: "ada")
            let origin = origin.replacing("PORT", with: String(try site.port))
            let answer = try await browser.send(
                "POST", browser.api("passkeys/register/begin"), Data("{}".utf8), fields: ["Origin": origin])
            #expect(answer.status == status)
            if status == 403 { #expect(answer.code == "origin.forbidden") }
            let reading = try await browser.send("GET", browser.api("session"), fields: ["Origin": origin])
            #expect(reading.status == 200)
        }
    }

    @Test(
        arguments: [
            // A page of another site reads public documents, and its links lead to pages.
            ("GET", "/healthz", nil, ["cross-site", "no-cors", "image"], 403),
            ("GET", "/healthz", nil, ["same-site", "no-cors", "script"], 403),
            ("GET", "/healthz", "https://evil.example", ["cross-site", "cors", "empty"], 403),
            ("GET", "/healthz", "https://shop.example", ["cross-site", "cors", "empty"], 200),
            ("GET", "/healthz", nil, ["cross-site", "navigate", "document"], 200),
            ("GET", "/healthz", nil, ["cross-site", "navigate", "iframe"], 403),
            ("GET", "/healthz", nil, ["same-origin", "cors", "empty"], 200),
            ("GET", "/healthz", nil, ["none", "navigate", "document"], 200),
            ("GET", "/.well-known/webauthn", nil, ["cross-site", "no-cors", "empty"], 200),
            ("POST", "/.well-known/webauthn", nil, ["cross-site", "no-cors", "empty"], 403),
            ("POST", "/api/v1/auth/sign-out", nil, ["cross-site", "no-cors", "empty"], 403),
            ("POST", "/api/v1/auth/sign-out", nil, ["cross-site", "navigate", "document"], 403),
            ("OPTIONS", "/api/v1/auth/sign-out", nil, ["cross-site", "cors", "empty"], 403),
        ] as [(String, String, String?, [String], Int)])
    func aRequestThatAnotherSiteCausesIsRefused(
        method: String, path: String, origin: String?, metadata: [String], status: Int
    ) async throws {
        try await Site.run(configure: { $0.relatedOrigins = ["https://shop.example"] }) { site in
            let names = ["Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest"]
            var fields = Dictionary(uniqueKeysWithValues: zip(names, metadata))
            fields["Origin"] = origin
            let answer = try await site.browser().send(method, path, fields: fields)
            #expect(answer.status == status)
            if status == 403 { #expect(answer.code == "site.forbidden") }
        }
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST:8080", true), ("127.0.0.1:80", true), ("[::1]:8080", true), ("[::1]", true),
        ("evil.example", false), ("localhost.evil.example:80", false), ("127.0.0.1.nip.io", false), ("[::2]", false),
        ("", false), ("[", false), ("localhost:1@evil.example", false), ("[::1]evil.example", false),
        ("[::1]:1@evil.example", false), ("localhost:", false), ("localhost:+1", false), ("localhost:65536", false),
        ("localhost:1:2", false), ("user@localhost", false), ("localhost:65535", true),
    ])
    func onlyLoopbackNamesAreLoopback(authority: String, isLoopback: Bool) {
        #expect(Loopback.isHost(ofAuthority: authority) == isLoopback)
    }

    @Test func anotherHostNameIsMisdirected() async throws {
        try await Site.run { site in
            let answer = try await site.browser().send("GET", "/healthz", fields: ["Host": "evil.example"])
            #expect(answer.status == 421)
            #expect(answer.code == "host.unexpected")
        }
    }

    @Test func theSiteServesItsHealthAndItsRelatedOrigins() async throws {
        try await Site.run(configure: { $0.relatedOrigins = ["https://shop.example"] }) { site in
            let browser = try site.browser()
            #expect(try await browser.send("GET", "/healthz").decode([String: String].self) == ["status": "ok"])
            let document = try await browser.send("GET", "/.well-known/webauthn")
            #expect(document.field("Content-Type") == "application/json")
            #expect(
                try document.decode([String: [String]].self) == ["origins": [try site.origin, "https://shop.example"]])
        }
    }

    @Test(arguments: [
        (Duration.zero, "1970-01-01T00:00:00.000Z"), (.milliseconds(1), "1970-01-01T00:00:00.001Z"),
        (.milliseconds(-1), "1969-12-31T23:59:59.999Z"), (.milliseconds(1_780_000_000_123), "2026-05-28T20:26:40.123Z"),
        (.seconds(Int64.max), "9999-12-31T23:59:59.807Z"),
    ])
    func aTimeIsWrittenInUTCWithMilliseconds(time: Duration, text: String) {
        #expect(Timestamp(time).iso8601 == text)
    }
}
