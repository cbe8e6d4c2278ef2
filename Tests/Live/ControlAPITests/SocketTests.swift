import Documents
import LoopbackHTTP
import TestSupport
import Testing
import VirtualAuthenticator

@testable import ControlAPI

/// Requests on a WebSocket.
@Suite(.timeLimit(.minutes(30))) struct SocketTests {
    private static let path = "/v1/sockets"

    private static func address(
        _ control: Control, fields: [String: String] = [:], at path: String = path
    ) async throws -> SocketAddress {
        try await control.send("POST", path, fields: fields).decode()
    }

    /// Asks for a WebSocket as a browser does for a page of an origin; the status of the answer.
    private static func handshake(
        _ url: String, origin: String?, host: String? = nil, site: String? = nil
    ) async throws -> Int {
        let found = try MessageSocket.Address(url)
        var fields = [
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        ]
        fields["Origin"] = origin
        fields["Host"] = host
        fields["Sec-Fetch-Site"] = site
        return try await Wire(port: found.port).send("GET", found.path, fields: fields).status
    }

    @Test("A request on a WebSocket has the answer that it has over HTTP")
    func answersAreTheSame() async throws {
        try await Control.run { control in
            try await control.device("security-key-bio", "key")
            let caller = try await SocketCaller(try await Self.address(control))
            for (id, path) in ["/v1/devices", "/v1/devices/key", "/v1/devices/none", "/v1/none", "/v1/events?since=0"]
                .enumerated()
            {
                let answer = try await caller.ask(id, "GET", path)
                let expected = try await control.get(path)
                #expect(answer.id == id)
                #expect(answer.status == expected.status)
                #expect(answer.body == expected.json, "\(path)")
            }
            let made = try await caller.ask(10, "POST", "/v1/devices/key/ceremonies/create", Options.create())
            #expect(made.status == 200)
            let id = try #require(made.body["credential"]?["id"]?.text)
            let gone = try await caller.ask(11, "DELETE", "/v1/devices/key/credentials/\(id)")
            #expect(gone.status == 204)
            #expect(gone.body == .null)
            // An id is free again after its answer.
            let wrong = try await caller.ask(11, "POST", "/v1/devices/key/ceremonies/get", ["origin": 1])
            #expect(wrong.status == 400)
        }
    }

    @Test("Answers come as they are ready; a cancelled request ends its ceremony and has no answer")
    func requestIsCancelled() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", person: "ask")
            let caller = try await SocketCaller(try await Self.address(control))
            try caller.send(1, "POST", "/v1/devices/phone/ceremonies/create", Options.create())
            // A second ceremony waits for the first one, which waits for the user.
            let state = try await caller.ask(2, "GET", "/v1/devices")
            #expect(state.id == 2)
            let again = try await caller.ask(1, "GET", "/v1/devices")
            #expect(again.code == "message.invalid")
            caller.send("{\"cancel\": 1}")
            caller.send("{\"cancel\": 77}")
            var ended: JSONValue = []
            while ended == [] { ended = try await control.get("/v1/devices/phone/ceremonies").json }
            #expect(ended.array?.first?["error"]?["name"]?.text != nil)
            let next = try await caller.ask(3, "GET", "/v1/devices")
            #expect(next.id == 3)
        }
    }

    @Test("A ceremony after a cancelled one begins when the device has ended that one")
    func requestFollowsACancelledOne() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            let caller = try await SocketCaller(try await Self.address(control))
            let made = try await caller.ask(1, "POST", "/v1/devices/phone/ceremonies/create", Options.create())
            let allowed = Options.get(allow: [try #require(made.body["credential"]?["id"]?.text)])
            for round in 1...20 {
                try caller.send(2 * round, "POST", "/v1/devices/phone/ceremonies/get", allowed)
                caller.send("{\"cancel\": \(2 * round)}")
                var got = try await caller.ask(2 * round + 1, "POST", "/v1/devices/phone/ceremonies/get", allowed)
                // The first ceremony may end before the cancellation comes.
                if got.id == 2 * round { got = try #require(try await caller.next()) }
                #expect(got.body["credential"] != nil, "\(got.body)")
            }
        }
    }

    @Test("The end of a WebSocket ends its ceremonies")
    func ceremonyEndsWithTheSocket() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", person: "ask")
            let caller = try await SocketCaller(try await Self.address(control))
            try caller.send(1, "POST", "/v1/devices/phone/ceremonies/create", Options.create())
            _ = try await caller.ask(2, "GET", "/v1/devices")
            caller.socket.close()
            while try await control.get("/v1/devices/phone/ceremonies").json == [] {}
        }
    }

    @Test(
        "A message that is not a request has an error, and the WebSocket stays open",
        arguments: [
            (nil, ""), (nil, "{"), (nil, "[]"), (nil, "null"), (nil, "{}"), (1, "{\"id\":1}"),
            (1, "{\"id\":1,\"method\":\"GET\"}"), (nil, "{\"id\":\"1\",\"method\":\"GET\",\"path\":\"/v1/devices\"}"),
            (1, "{\"id\":1,\"method\":\"GET\",\"path\":\"v1\"}"),
            (1, "{\"id\":1,\"method\":\"GET\",\"path\":\"http://a/\"}"),
            (1, "{\"id\":1,\"method\":\"G T\",\"path\":\"/v1\"}"), (1, "{\"id\":1,\"method\":\"GET\",\"path\":\"/ä\"}"),
            (1, "{\"id\":1,\"method\":\"GET\",\"path\":\"/a b\"}"),
            (1, "{\"id\":1,\"method\":\"GET\",\"path\":\"/a\\r\\nX: y\"}"), (nil, "{\"cancel\":true}"),
            (nil, "{\"id\":99999999999999999999,\"method\":\"GET\",\"path\":\"/\"}"),
            (nil, "{\"id\":1,\n\"method\":\"GET\",\"path\":\"/\"}"),
        ] as [(Int?, String)])
    func wrongMessageIsRefused(id: Int?, text: String) async throws {
        try await Control.run { control in
            let caller = try await SocketCaller(try await Self.address(control))
            caller.send(text)
            let answer = try #require(try await caller.next())
            #expect(answer.id == id)
            #expect(answer.status == 400)
            #expect(answer.code == "message.invalid")
            #expect(try await caller.ask(1, "GET", "/v1/devices").status == 200)
        }
    }

    @Test("More than 64 requests without an answer are refused")
    func requestsAreBounded() async throws {
        try await Control.run { control in
            let caller = try await SocketCaller(try await Self.address(control))
            for id in 1...64 {
                try await control.device("iphone-face-id", "phone-\(id)", person: "ask")
                try caller.send(id, "POST", "/v1/devices/phone-\(id)/ceremonies/create", Options.create())
            }
            let refused = try await caller.ask(65, "GET", "/v1/devices")
            #expect(refused.id == 65)
            #expect(refused.status == 429)
            #expect(refused.code == "socket.busy")
        }
    }

    @Test("A message larger than the largest body ends the WebSocket")
    func messagesAreBounded() async throws {
        try await Control.run { control in
            let caller = try await SocketCaller(try await Self.address(control))
            caller.send(String(repeating: "x", count: SocketMessage.largest(ofBody: ControlOperations.largestAct) + 1))
            #expect(try await caller.next() == nil)
            #expect(try await control.get("/v1/devices").status == 200)
        }
    }

    @Test("An address opens one WebSocket, within its time, for the origin that asked for it and this computer's names")
    func addressIsGuarded() async throws {
        let clock = SimulatedClock()
        try await Control.run(configure: { $0.clock = clock }) { control in
            let made = try await Self.address(control)
            let address = made.url
            let own = try MessageSocket.Address(address)
            for origin in ["https://evil.example", "null", "http://127.0.0.1:\(own.port)"] {
                #expect(try await Self.handshake(address, origin: origin) == 403)
            }
            #expect(try await Self.handshake(address, origin: nil, host: "evil.example:\(own.port)") == 403)
            for host in ["localhost:1@evil.example", "[::1]evil.example", "localhost:a", "localhost:"] {
                #expect(try await Self.handshake(address, origin: nil, host: host) == 403)
            }
            for site in ["cross-site", "same-site"] {
                #expect(try await Self.handshake(address, origin: nil, site: site) == 403)
            }
            #expect(try await Self.handshake(address + "x", origin: nil) == 403)
            #expect(try await Self.handshake("ws://127.0.0.1:\(own.port)/", origin: nil) == 403)
            let caller = try await SocketCaller(made)
            #expect(try await Self.handshake(address, origin: nil) == 403)
            #expect(try await caller.ask(1, "GET", "/v1/devices").status == 200)

            let late = try await Self.address(control)
            clock.advance(by: RequestSockets.lifetime)
            #expect(try await Self.handshake(late.url, origin: nil) == 403)
        }
    }

    @Test(
        "The panel's WebSocket is for the name by which the page knows the server",
        arguments: ["localhost", "127.0.0.1"])
    func panelHasASocket(host: String) async throws {
        try await Control.run { control in
            let own = "\(host):\(control.server.port)"
            let secret = try #require(control.server.panelAddress().split(separator: "#").last)
            let opened = try await control.wire.send(
                "POST", PanelPaths.sessions, fields: ["Authorization": "Bearer \(secret)", "Host": own])
            let token = try #require(try JSONValue(parsing: opened.body)["token"]?.text)
            let fields = ["Authorization": "Bearer \(token)", "Host": own]
            let caller = try await SocketCaller(try await Self.address(control, fields: fields))
            #expect(try await caller.ask(1, "GET", "/v1/devices").status == 200)
        }
    }

    @Test("A cancelled change of a device is made all the same, as it is over HTTP")
    func cancelEndsNoChange() async throws {
        try await Control.run { control in
            let caller = try await SocketCaller(try await Self.address(control))
            try caller.send(1, "POST", "/v1/devices", ["profile": "security-key-bio", "name": "key"])
            caller.send("{\"cancel\": 1}")
            while try await control.get("/v1/devices/key").status != 200 {}
            #expect(try await caller.ask(2, "DELETE", "/v1/devices/key").id == 2)
        }
    }

    @Test("A WebSocket has the rights of the request for its address")
    func rightsAreInherited() async throws {
        try await Control.run { control in
            try await control.device("security-key-bio", "key")
            try await control.device("security-key-bio", "other")
            let origin = "chrome-extension://abcdefghijklmnop"
            let token = control.server.makePageToken(device: "key", origin: origin).text
            let caller = try await SocketCaller(
                try await Self.address(control, fields: ["Authorization": "Bearer \(token)"]))
            let page = try PageCarrierTests.create()
            let made = try await caller.ask(1, "POST", "/v1/devices/key/page-requests", page)
            #expect(made.status == 200)
            for (id, path) in ["/v1/devices", "/v1/devices/other", "/v1/events", "/openapi.json"].enumerated() {
                #expect(try await caller.ask(id, "GET", path).code == "token.limited")
            }
            for device in ["key", "other"] {
                let path = "/v1/devices/\(device)/ceremonies/create"
                #expect(try await caller.ask(8, "POST", path, Options.create()).code == "token.limited")
            }
            let foreign = try await caller.ask(9, "POST", "/v1/devices/other/page-requests", page)
            #expect(foreign.code == "token.limited")
            // The extension's own address is for its origin only.
            let fields = ["Authorization": "Bearer \(token)", "Origin": origin]
            let address = try await Self.address(control, fields: fields).url
            #expect(try await Self.handshake(address, origin: nil) == 403)
            #expect(try await Self.handshake(address, origin: "https://evil.example") == 403)
        }
    }

    @Test("Neither a page nor a program without the token gets an address", arguments: [nil, "https://evil.example"])
    func addressNeedsToken(origin: String?) async throws {
        try await Control.run { control in
            var fields: [String: String] = [:]
            fields["Origin"] = origin
            let answer = try await control.wire.send("POST", Self.path, fields: fields)
            #expect(answer.status == (origin == nil ? 401 : 403))
        }
    }

    @Test("Open WebSockets end with the server")
    func socketsEndWithTheServer() async throws {
        var caller: SocketCaller?
        try await Control.run { control in
            try await control.device("iphone-face-id", person: "ask")
            caller = try await SocketCaller(try await Self.address(control))
            try caller?.send(1, "POST", "/v1/devices/phone/ceremonies/create", Options.create())
            _ = try await caller?.ask(2, "GET", "/v1/devices")
        }
        while try await caller?.next() != nil {}
    }
}
