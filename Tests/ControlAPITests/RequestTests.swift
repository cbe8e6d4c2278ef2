import Foundation
import LoopbackHTTP
import Testing

@testable import ControlAPI

/// Requests that are wrong whatever they ask for.
@Suite struct RequestTests {
    @Test("A body must be JSON, be declared so and be of a size to read")
    func aBodyMustBeJSON() async throws {
        try await Control.run { control in
            func post(_ text: String, _ type: String? = "application/json") async throws -> Wire.Answer {
                var fields = control.authorization
                fields["Content-Type"] = type
                return try await control.wire.send("POST", "/v1/devices", fields: fields, body: Array(text.utf8))
            }
            let statuses = [
                try await post("{\"profile\"").status, try await post("").status, try await post("[]").status,
                try await post("{}", "text/plain").status, try await post("{}", nil).status,
                try await post("{\"profile\":1}").status,
                try await post("{\"profile\":\"\(String(repeating: "x", count: JSONBody.limit))\"}").status,
            ]
            #expect(statuses == [400, 400, 400, 415, 415, 400, 413])
            let fine = try await post("{\"profile\":\"solo-1\"}", "application/json; charset=utf-8")
            #expect(fine.status == 201)
        }
    }

    @Test(
        "Wrong members are named, with what was expected",
        arguments: [
            (["profile": "solo-1", "nmae": "x"], "nmae", "expected profile, name, seed, person, samples, clock"),
            (["name": "x"], "profile", "is missing"), (["profile": "solo-1", "seed": -1], "seed", "from 0 to"),
            (["profile": "solo-1", "person": "lazy"], "person", "auto, ask"),
            (["profile": "solo-1", "connections": ["udp": 70_000]], "connections.udp", "from 0 to 65535"),
            (["profile": "solo-1", "name": "a/b"], "name", "form"),
        ] as [(JSONValue, String, String)])
    func wrongMembersAreNamed(body: JSONValue, member: String, expectation: String) async throws {
        try await Control.run { control in
            let answer = try await control.post("/v1/devices", body)
            #expect(answer.status == 400)
            #expect(answer.code == "json.invalidMember")
            let message = answer.json["error"]?["message"]?.text ?? ""
            #expect(message.contains("“\(member)”"))
            #expect(message.contains(expectation))
        }
    }

    @Test("A query that the endpoint does not know is refused rather than ignored")
    func anUnknownQueryIsRefused() async throws {
        try await Control.run { control in
            for query in ["?x=1", "?since=-1", "?since=a", "?limit=0", "?since=1&since=2", "?%FF=1"] {
                let answer = try await control.get("/v1/events\(query)")
                #expect(answer.status == 400)
                #expect(answer.code == "query.invalid")
            }
            #expect(try await control.get("/v1/devices?x=1").status == 400)
        }
    }

    @Test("An endpoint says which methods it answers")
    func otherMethodsAreNotAllowed() async throws {
        try await Control.run { control in
            for (method, path, allowed) in [
                ("PUT", "/v1/devices", "GET, HEAD, POST"), ("TRACE", "/v1/faults", "GET, HEAD"),
                ("PATCH", "/session", "POST"),
            ] {
                let answer = try await control.wire.send(method, path, fields: control.authorization)
                #expect(answer.status == 405)
                #expect(answer.field("Allow") == allowed)
            }
            let nowhere = try await control.wire.send("GET", "/v2", fields: control.authorization)
            #expect(nowhere.status == 404)
        }
    }
}
