import Documents
import RelyingPartyServer
import Testing

@testable import ControlAPI

/// The trouble of the relying party in the same process.
@Suite struct ServerTests {
    @Test("The relying party is slowed down, and its next requests fail")
    func troubleIsChanged() async throws {
        let conditions = ServerConditions()
        try await Control.run {
            $0.server = conditions
        } _: { control in
            let none: ServerReport = try await control.get("/v1/server").decode()
            #expect(none.latencySeconds == 0 && none.failingRequests == 0 && none.failingStatus == 503)
            try await control.send("PATCH", "/v1/server", ["latency": "1500 ms"])
            let idle = try await control.send("PATCH", "/v1/server", ["failingStatus": 429])
            #expect(idle.status == 422 && idle.code == "member.idle")
            let both: ServerReport = try await control.send(
                "PATCH", "/v1/server", ["failingRequests": 2, "failingStatus": 429]
            ).decode()
            #expect(both.latencySeconds == 1.5 && both.failingRequests == 2 && both.failingStatus == 429)
            #expect(conditions.current.latency == .milliseconds(1500))
            #expect(conditions.current.failingRequests == 2)
            for wrong: JSONValue in [[:], ["failingStatus": 200], ["failingRequests": -1], ["latency": "soon"]] {
                #expect(try await control.send("PATCH", "/v1/server", wrong).status == 400)
            }
        }
    }

    @Test("Without a relying party the answer says how to start one")
    func noRelyingPartyRuns() async throws {
        try await Control.run { control in
            for answer in [
                try await control.get("/v1/server"), try await control.send("PATCH", "/v1/server", ["latency": "1 s"]),
            ] {
                #expect(answer.status == 409 && answer.code == "server.absent")
            }
        }
    }
}
