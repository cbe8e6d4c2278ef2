import Documents
import Providers
import RelyingPartyServer
import Testing

@testable import ControlAPI

/// The services beside the relying party in the same process.
@Suite struct ServiceTests {
    @Test("A service fails, and a provider does something wrong")
    func servicesAreChanged() async throws {
        let services = LoopbackServices()
        try await Control.run {
            $0.services = services
        } _: { control in
            let none: ServiceReport = try await control.get("/v1/services/bankid").decode()
            #expect(none.outage == nil && none.fault == nil && none.resident == "kari" && none.requests == 0)
            let changed: ServiceReport = try await control.send(
                "PATCH", "/v1/services/vipps",
                [
                    "outage": "silent", "endpoint": "token", "fault": "wrong-nonce", "nationalId": "absent",
                    "resident": "ola",
                ]
            ).decode()
            #expect(changed.outage == "silent" && changed.endpoint == "token" && changed.fault == "wrong-nonce")
            let settings = services.conditions.current
            #expect(settings[.vipps].outage == .silent)
            #expect(settings[OpenIDProviderName.vipps].fault == .wrongNonce)
            #expect(settings[OpenIDProviderName.vipps].nationalID == .absent)
            #expect(settings[OpenIDProviderName.vipps].resident == .ola)
            let ended: ServiceReport = try await control.send(
                "PATCH", "/v1/services/vipps",
                ["outage": "none", "endpoint": "every", "fault": "none", "latency": "2 s"]
            ).decode()
            #expect(ended.outage == nil && ended.endpoint == nil && ended.fault == nil && ended.latencySeconds == 2)
            for change: JSONValue in [["outage": "silent", "endpoint": "token"], ["outage": "none"]] {
                try await control.send("PATCH", "/v1/services/bankid", change)
            }
            #expect(services.conditions.current[.bankid].endpoint == nil)
            for change: JSONValue in [
                ["endpoint": "token"], ["endpoint": "token", "fault": "cancel"],
                ["endpoint": "token", "outage": "none"], ["endpoint": "token", "latency": "0 s"],
            ] {
                let idle = try await control.send("PATCH", "/v1/services/bankid", change)
                #expect(idle.status == 422 && idle.code == "member.idle")
                let state = services.conditions.current
                #expect(state[.bankid].endpoint == nil && state[OpenIDProviderName.bankid].fault == nil)
            }
            #expect(try await control.send("PATCH", "/v1/services/bankid", ["endpoint": "every"]).status == 200)
            let wrong = try await control.send("PATCH", "/v1/services/gateway", ["fault": "cancel"])
            #expect(wrong.status == 422 && wrong.code == "service.noProvider")
            let unknown = try await control.send("PATCH", "/v1/services/gateway", ["endpoint": "userinfo"])
            #expect(unknown.status == 422 && unknown.code == "service.noEndpoint")
            #expect(try await control.send("PATCH", "/v1/services/other", ["outage": "none"]).status == 400)
            #expect(try await control.send("PATCH", "/v1/services/bankid", ["fault": "lies"]).status == 400)
        }
    }

    @Test("Without services the answer says how to start them")
    func noServicesRun() async throws {
        try await Control.run { control in
            let answer = try await control.get("/v1/services/bankid")
            #expect(answer.status == 409 && answer.code == "server.absent")
        }
    }
}
