import RelyingPartyServer
import Synchronization
import Testing

/// A server's trouble: latency, and requests that fail.
@Suite struct TroubleTests {
    @Test func everyRequestTakesTheLatency() async throws {
        let passed = PassedTime()
        let conditions = ServerConditions()
        try await Site.run(configure: { ($0.conditions, $0.pass) = (conditions, passed.pass) }) { site in
            let browser = try site.browser()
            #expect(try await browser.get("session").status == 401)
            #expect(passed.spans.isEmpty)
            conditions.change { $0.latency = .seconds(2) }
            #expect(try await browser.get("session").status == 401)
            #expect(try await browser.send("GET", "/healthz").status == 200)
            #expect(passed.spans == [.seconds(2), .seconds(2)])
            conditions.change { $0.latency = .zero }
            #expect(try await browser.get("session").status == 401)
            #expect(passed.spans.count == 2)
        }
    }

    @Test func aFailedRequestHasNoEffect() async throws {
        let conditions = ServerConditions()
        try await Site.run(configure: { $0.conditions = conditions }) { site in
            let browser = try site.browser()
            let ada = ["username": "ada", "displayName": "Ada"]
            conditions.change { ($0.failingStatus, $0.failingRequests) = (502, 2) }
            for left in [1, 0] {
                let failed = try await browser.post("accounts", ada)
                #expect(failed.status == 502)
                #expect(failed.body.isEmpty)
                #expect(conditions.current.failingRequests == left)
            }
            #expect(try await browser.post("accounts", ada).status == 201)
        }
    }

    @Test func aPageOfAnotherOriginReadsTheFailure() async throws {
        let conditions = ServerConditions()
        let origin = "https://shop.example"
        try await Site.run(configure: { ($0.conditions, $0.relatedOrigins) = (conditions, [origin]) }) { site in
            let browser = try site.browser()
            conditions.change { $0.failingRequests = 1 }
            // A preflight is answered before the trouble.
            let preflight = try await browser.send(
                "OPTIONS", browser.api("session"),
                fields: ["Origin": origin, "Access-Control-Request-Method": "POST"])
            #expect(preflight.status == 204)
            let failed = try await browser.send("GET", browser.api("session"), fields: ["Origin": origin])
            #expect(failed.status == 503)
            #expect(failed.field("Access-Control-Allow-Origin") == origin)
        }
    }

    /// The spans that a server let pass.
    private final class PassedTime: Sendable {
        private let all = Mutex<[Duration]>([])

        var spans: [Duration] { all.withLock { $0 } }

        @Sendable func pass(_ span: Duration) async throws { all.withLock { $0.append(span) } }
    }
}
