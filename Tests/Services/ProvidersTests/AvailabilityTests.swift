import Foundation
import Providers
import Testing

@Suite struct AvailabilityTests {
    @Test func anUnavailableProviderAnswers503AndTheOtherAnswers() async throws {
        try await Street.run { street in
            street.change { $0[.bankid].outage = .unavailable }
            let client = try street.client()
            #expect(try await client.get(Login(.bankid, client).discovery).status == 503)
            #expect(try await client.get(Login(.vipps, client).discovery).status == 200)
        }
    }

    @Test(arguments: [ServiceOutage.refused, .silent]) func aConnectionClosesWithoutAnAnswer(
        _ outage: ServiceOutage
    ) async throws {
        try await Street.run { street in
            let client = try street.client()
            let start = street.now
            street.change { $0[.vipps].outage = outage }
            await #expect(throws: URLError.self) { try await client.get(Login(.vipps, client).discovery) }
            #expect(street.now - start == (outage == .silent ? ServiceAvailability.patience : .zero))
            let request = try #require(street.services.journal.all.last)
            #expect(request.status == nil)
            street.change { $0[.vipps].outage = nil }
            #expect(try await client.get(Login(.vipps, client).discovery).status == 200)
        }
    }

    @Test(arguments: [("wait=10", 10), ("respond-async, wait=90", 60), ("wait=soon", 60)])
    func aSilentServiceTakesTheTimeThatItsClientWaits(preference: String, seconds: Int) async throws {
        try await Street.run { street in
            let client = try street.client()
            let start = street.now
            street.change { $0[.vipps].outage = .silent }
            await #expect(throws: URLError.self) {
                try await client.send("GET", Login(.vipps, client).discovery, fields: ["Prefer": preference])
            }
            #expect(street.now - start == .seconds(seconds))
        }
    }

    @Test func aClientThatWaitsTooShortGetsNoSlowAnswer() async throws {
        try await Street.run { street in
            let client = try street.client()
            street.change { $0[.vipps].latency = .seconds(11) }
            let start = street.now
            await #expect(throws: URLError.self) {
                try await client.send("GET", Login(.vipps, client).discovery, fields: ["Prefer": "wait=10"])
            }
            #expect(street.now - start == .seconds(10))
            #expect(
                try await client.send("GET", Login(.vipps, client).discovery, fields: ["Prefer": "wait=11"]).status
                    == 200)
        }
    }

    @Test func latencyConcernsTheNamedEndpoint() async throws {
        try await Street.run { street in
            let login = Login(.vipps, try street.client())
            street.change {
                $0[.vipps].latency = .milliseconds(4900)
                $0[.vipps].endpoint = "token"
            }
            let start = street.now
            let code = try await login.code()
            #expect(street.now == start)
            #expect(try await login.exchange(code).status == 200)
            #expect(street.now - start == .milliseconds(4900))
        }
    }

    @Test func theJournalHasEveryRequest() async throws {
        try await Street.run { street in
            let login = Login(.bankid, try street.client())
            _ = try await login.tokens()
            let requests = street.services.journal.all
            #expect(Set(requests.map(\.endpoint)) == ["discovery", "authorize", "decision", "token"])
            #expect(street.services.journal.count(.bankid) == requests.count)
            #expect(street.services.journal.count(.vipps) == 0)
            #expect(requests.last?.request == "POST /bankid/protocol/openid-connect/token")
            #expect(requests.last?.status == 200)
        }
    }
}
