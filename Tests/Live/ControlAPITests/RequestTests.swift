import Documents
import Foundation
import LoopbackHTTP
import Testing

@testable import ControlAPI

/// Malformed requests.
@Suite struct RequestTests {
    @Test("A body must be JSON, have its content type and not be too large")
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
                try await post("{\"profile\":\"\(String(repeating: "x", count: ControlOperations.largestAct))\"}")
                    .status,
            ]
            #expect(statuses == [400, 400, 400, 415, 415, 400, 413])
            let fine = try await post("{\"profile\":\"solo-1\"}", "application/json; charset=utf-8")
            #expect(fine.status == 201)
        }
    }

    @Test(
        "JSON that programs read differently is refused",
        arguments: [
            (#"{"profile":"solo-1","profile":"pixel-fingerprint"}"#, "json.repeated", "“profile” occurs twice"),
            (#"{"profile":"solo-1","pro\u0066ile":"solo-1"}"#, "json.repeated", "“profile” occurs twice"),
            (#"{"profile":"solo-1","connections":{"udp":0,"udp":1}}"#, "json.repeated", "“udp” occurs twice"),
            (#"{"profile":{"yaml":"a","yaml":"b"}}"#, "json.repeated", "“yaml” occurs twice"),
            (#"[{"a":1},{"a":1,"b":[],"a":2}]"#, "json.repeated", "“a” occurs twice"),
            (#"{"profile":"solo-1","name":"profile"}"#, nil, ""),
            (#"{"profile":"solo-1","connections":{}}"#, nil, ""),
            (#"{"profile":{"yaml":"{\"a\":1,\"a\":2}"}}"#, "profile.invalid", ""),
            (
                #"{"profile": "solo-1" "name": "x"}"#, "json.malformed",
                "line 1, column 22: a comma is missing before this"
            ),
            (
                #"{"profile": {"yaml": 'a'}}"#, "json.malformed",
                "line 1, column 22, in `profile.yaml`: texts stand in double"
            ),
        ] as [(String, String?, String)])
    func ambiguousBodyIsRefused(text: String, code: String?, words: String) async throws {
        try await Control.run { control in
            let fields = control.authorization.merging(["Content-Type": "application/json"]) { $1 }
            let answer = try await control.wire.send("POST", "/v1/devices", fields: fields, body: Array(text.utf8))
            let error = try JSONValue(parsing: answer.body)["error"]
            #expect(error?["code"]?.text == code)
            #expect(answer.status == (code == nil ? 201 : code == "profile.invalid" ? 422 : 400))
            #expect(words.isEmpty || error?["message"]?.text?.contains(words) == true)
        }
    }

    @Test(
        "JSON in another encoding than UTF-8 is refused",
        arguments: [
            .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian, .isoLatin1,
        ] as [String.Encoding])
    func otherEncodingIsRefused(encoding: String.Encoding) async throws {
        try await Control.run { control in
            let fields = control.authorization.merging(["Content-Type": "application/json"]) { $1 }
            let text = #"{"profile": "solo-1", "name": "ä"}"#
            let body = Array(try #require(text.data(using: encoding)))
            let answer = try await control.wire.send("POST", "/v1/devices", fields: fields, body: body)
            #expect(answer.status == 400)
            let error = try JSONValue(parsing: answer.body)["error"]
            #expect(error?["code"] == "json.malformed")
            #expect(error?["message"]?.text?.contains("not UTF-8") == true)
        }
    }

    @Test("A chunk without a size is the client's error")
    func aChunkWithoutASizeIsRefused() async throws {
        try await Control.run { control in
            let fields = control.authorization.merging([
                "Content-Type": "application/json", "Transfer-Encoding": "chunked",
            ]) { first, _ in first }
            let answer = try await control.wire.send(
                "POST", "/v1/devices", fields: fields, body: Array("zz\r\n{}\r\n0\r\n\r\n".utf8))
            #expect(answer.status == 400)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("body.unreadable"))
        }
    }

    @Test("A stream is resumed after an event's ID only")
    func invalidEventIDIsRefused() async throws {
        try await Control.run { control in
            for id in ["abc", "-1", "1.5"] {
                let answer = try await control.send("GET", "/v1/events", fields: ["Last-Event-ID": id])
                #expect(answer.code == "query.invalid")
            }
            #expect(try await control.send("GET", "/v1/events", fields: ["Last-Event-ID": "0"]).status == 200)
        }
    }

    @Test(
        "An error names the wrong member and the expected value",
        arguments: [
            (["profile": "solo-1", "nmae": "x"], "nmae", "expected profile, name, seed, person, samples, clock"),
            (["name": "x"], "profile", "is missing"), (["profile": "solo-1", "seed": -1], "seed", "from 0 to"),
            (["profile": "solo-1", "person": "lazy"], "person", "auto, ask"),
            (["profile": "solo-1", "connections": ["udp": 70_000]], "connections.udp", "from 0 to 65535"),
            (["profile": "solo-1", "name": "a/b"], "name", "letters, digits"),
            (["profile": "solo-1", "seed": "7"], "seed", "must be a whole number from 0 to"),
            (["profile": "solo-1", "seed": "7"], "seed", ", not text."),
            (["profile": "solo-1", "name": 7], "name", "must be text, not a whole number."),
            (["profile": .number(1.5)], "profile", "must be text or an object, not a number with decimals."),
            (["profile": ["yml": "x"]], "profile.yml", "did you mean yaml?"),
            (["profile": "solo-1", "connections": []], "connections", "must be an object, not an array."),
            (
                ["profile": "solo-1", "connections": ["usb": "yes"]], "connections.usb",
                "must be true or false, not text."
            ),
            (["profile": "solo-1", "person": .null], "person", "must be text, not null."),
            (["profile": "pixel-fingerprint", "samples": [:]], "samples", "at least 1 member"),
        ] as [(JSONValue, String, String)])
    func errorNamesWrongMember(body: JSONValue, member: String, expectation: String) async throws {
        try await Control.run { control in
            let answer = try await control.post("/v1/devices", body)
            #expect(answer.status == 400)
            #expect(answer.code == "json.invalidMember")
            let message = answer.json["error"]?["message"]?.text ?? ""
            #expect(message.contains("“\(member)”"))
            #expect(message.contains(expectation))
        }
    }

    @Test(
        "An error about an unknown word names the nearest one, and no regular expression",
        arguments: [
            ("POST", "/v1/devices", ["profile": "iphone-face"], "did you mean iphone-face-id"),
            ("POST", "/v1/devices", ["profile": "solo-1", "nam": "x"], "did you mean name?"),
            ("POST", "/v1/devices", ["profile": "solo-1", "clock": "simulatd"], "did you mean simulated?"),
            ("POST", "/v1/devices", ["profile": "solo-1", "name": "a b"], "letters, digits"),
            ("POST", "/v1/devices/phone/acts", ["verb": "enroll"], "did you mean enrol"),
            (
                "POST", "/v1/devices/phone/acts", ["verb": "fault", "arguments": ["name": "signatur"]],
                "did you mean statement-signature"
            ),
            ("POST", "/v1/devices/phone/person/acts", ["acts": ["no-mach"]], "did you mean no-match"),
            ("POST", "/v1/devices/phone/person/acts", ["acts": ["match x 500"]], "1 to 100 repetitions"),
            ("GET", "/v1/devices/phonne", nil, "did you mean phone?"),
            ("POST", "/v1/devices/phone/clock", ["advance": "soon"], "a span such as"),
            ("POST", "/v1/devices/phone/restore", ["snapshot": "none-yet"], "No snapshot is named “none-yet”."),
        ] as [(String, String, JSONValue?, String)])
    func errorNamesNearestWord(method: String, path: String, body: JSONValue?, says: String) async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            let answer = try await control.send(method, path, body)
            let message = try #require(answer.json["error"]?["message"]?.text)
            #expect(message.contains(says), "\(message)")
            #expect(!message.contains("[") && !message.contains("?."), "\(message)")
        }
    }

    @Test(
        "An endpoint without a body takes none, and an empty object",
        arguments: [
            ("POST", "/v1/devices/phone/reset"), ("DELETE", "/v1/devices/phone/person/acts"), ("POST", "/v1/sockets"),
            ("POST", "/v1/panel/links"), ("DELETE", "/v1/devices/phone/credentials"), ("GET", "/v1/devices"),
            ("DELETE", "/v1/devices/phone"),
        ])
    func unexpectedBodyIsRefused(method: String, path: String) async throws {
        try await Control.run { control in
            try await control.device("security-key-bio", "phone")
            for body: JSONValue in [["surplus": 1], [1], "text"] {
                let answer = try await control.send(method, path, body)
                #expect(answer.status == 400)
                #expect(answer.code == "body.unexpected")
            }
            #expect(try await control.send(method, path, [:]).status < 300)
        }
    }

    @Test(
        "Settings that change nothing are refused",
        arguments: [
            ("clock", ["advance": "0 s"], "span.invalid"), ("clock", ["setBack": "0 ms"], "span.invalid"),
            (nil, ["samples": ["far": "1:5"]], "member.idle"),
            (nil, ["samples": ["who": "impostor", "frr": "3%"]], "member.idle"),
            (nil, ["samples": ["frr": "3%"], "person": "ask"], "member.idle"),
        ] as [(String?, [String: JSONValue], String)])
    func settingWithoutEffectIsRefused(path: String?, body: [String: JSONValue], code: String) async throws {
        try await Control.run { control in
            try await control.device("pixel-fingerprint")
            let order: [String: JSONValue] = ["profile": "pixel-fingerprint"]
            let answer = try await control.post(
                path.map { "/v1/devices/phone/\($0)" } ?? "/v1/devices",
                .object(path == nil ? order.merging(body) { $1 } : body))
            #expect(answer.status == 422)
            #expect(answer.code == code)
        }
    }

    @Test("A ceremony's answer keeps the connection, whatever its status")
    func ceremonyKeepsConnection() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            for path in ["/v1/devices/phone/ceremonies/create", "/v1/devices/unknown/ceremonies/create"] {
                let body = Array(try JSONEncoder().encode(Options.create()))
                let fields = control.authorization.merging(
                    ["Content-Type": "application/json", "Connection": "keep-alive"]) { first, _ in first }
                let answer = try await control.wire.send("POST", path, fields: fields, body: body)
                #expect(answer.field("Connection") != "close")
            }
        }
    }

    @Test("A user's act may name its sensor")
    func actMayNameSensor() async throws {
        try await Control.run { control in
            try await control.device("pixel-face-and-fingerprint")
            let told = try await control.post("/v1/devices/phone/person/acts", ["acts": ["match:face x 2"]])
            #expect(told.json["planned"] == ["match:face", "match:face"])
        }
    }

    @Test("An unknown query parameter is refused")
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

    @Test(
        "A path with an invalid name is refused",
        arguments: [
            ("PUT", "/v1/accounts/%ff", "path.invalid"), ("PUT", "/v1/accounts/a%2Fb", "path.invalid"),
            ("PUT", "/v1/accounts/LONG", "path.invalid"), ("DELETE", "/v1/accounts/%00", "path.invalid"),
            ("GET", "/v1/devices/%C3", "path.invalid"), ("GET", "/v1/devices/-", "path.invalid"),
            ("DELETE", "/v1/snapshots/a%20b", "path.invalid"),
            ("GET", "/v1/devices/phone/credentials/a+b", "path.invalid"),
            ("DELETE", "/session/%ff", "invalid argument"), ("DELETE", "/session/LONG", "invalid argument"),
            ("DELETE", "/session/x%20y", "invalid session id"), ("GET", "/v1/devices/unknown", "device.notFound"),
        ])
    func invalidPathIsRefused(method: String, path: String, code: String) async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            let answer = try await control.send(
                method, path.replacing("LONG", with: String(repeating: "x", count: 3000)),
                method == "PUT" ? ["devices": ["phone"]] : nil)
            #expect((answer.code ?? answer.webDriverError) == code)
            #expect(answer.status == (["device.notFound", "invalid session id"].contains(code) ? 404 : 400))
            #expect(try await control.get("/v1/accounts").json == [])
        }
    }

    @Test("The document has the schemas of path parameters")
    func pathParametersAreDocumented() async throws {
        try await Control.run { control in
            let paths = try #require(try await control.get("/openapi.json").json["paths"]?.object)
            for (path, item) in paths {
                let names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
                let parameters = item["parameters"]?.array ?? []
                #expect(parameters.map { $0["name"]?.text } == names.map(String.init))
                for schema in parameters.map({ $0["schema"] }) {
                    #expect((schema?["maxLength"] ?? schema?["maximum"])?.integer != nil, "\(path)")
                }
            }
            let account = try #require(paths["/v1/accounts/{account}"]?["parameters"]?.array?.first)
            #expect(account["schema"]?["pattern"]?.text?.contains("[A-Za-z0-9]") == true)
        }
    }

    @Test("An endpoint lists its methods")
    func unknownMethodIsRefused() async throws {
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
