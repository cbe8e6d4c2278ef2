import Documents
import LoopbackHTTP
import Testing
import WebAuthn

@testable import ControlAPI

/// Pages' requests, as a browser's programs bring them.
@Suite(.timeLimit(.minutes(30))) struct PageCarrierTests {
    static let path = "/v1/devices/phone/page-requests"

    /// A request of a page at `https://example.org`, or as the changes say.
    static func request(
        _ kind: String, _ options: JSONValue = [:], message: [String: JSONValue] = [:], body: [String: JSONValue] = [:]
    ) -> JSONValue {
        let stated: [String: JSONValue] = [
            "kind": .text(kind), "options": options, "origin": "https://example.org", "ancestors": [],
            "permissions": ["create", "get"],
        ]
        let request: [String: JSONValue] = [
            "message": .object(stated.merging(message) { $1 }), "origin": "https://example.org",
        ]
        return .object(request.merging(body) { $1 })
    }

    static func create(message: [String: JSONValue] = [:], body: [String: JSONValue] = [:]) throws -> JSONValue {
        request("create", try #require(Options.create()["options"]), message: message, body: body)
    }

    static func get(message: [String: JSONValue] = [:], body: [String: JSONValue] = [:]) throws -> JSONValue {
        request("get", try #require(Options.get()["options"]), message: message, body: body)
    }

    /// Runs with a passkey of the user AQID at `https://example.org`, and its ID.
    static func withPasskey(
        _ profile: String = "pixel-fingerprint", _ use: @Sendable (Control, String) async throws -> Void
    ) async throws {
        try await Control.run { control in
            try await control.device(profile)
            let made = try await control.post(path, create())
            try await use(control, try #require(made.json["value"]?["id"]?.text))
        }
    }

    private static func credentials(_ control: Control) async throws -> [CredentialEntry] {
        try await control.get("/v1/devices/phone/credentials").decode()
    }

    // MARK: Callers

    /// The statements of a document, and the error that its page gets; nil for a credential.
    struct Caller: Sendable {
        let name: String
        var message: [String: JSONValue] = [:]
        var body: [String: JSONValue] = [:]
        let create: String?
        let get: String?
    }

    private static let frame: JSONValue = ["https://other.example"]

    static let callers: [Caller] = [
        Caller(name: "a page", create: nil, get: nil),
        Caller(
            name: "a page with a statement of the top", body: ["topOrigin": "https://example.org"], create: nil,
            get: nil),
        Caller(name: "a browser that tells no permissions", message: ["permissions": .null], create: nil, get: nil),
        Caller(
            name: "an opaque origin", message: ["origin": "null"], body: ["origin": "null"],
            create: "NotAllowedError", get: "NotAllowedError"),
        Caller(
            name: "another origin than the browser states", body: ["origin": "https://example.com"],
            create: "NotAllowedError", get: "NotAllowedError"),
        Caller(
            name: "an origin that the browser does not know", body: ["origin": .null],
            create: "NotAllowedError", get: "NotAllowedError"),
        Caller(
            name: "text other than an origin", message: ["origin": "example"], body: ["origin": "example"],
            create: "NotAllowedError", get: "NotAllowedError"),
        Caller(
            name: "another relying party's page", message: ["origin": "https://example.com"],
            body: ["origin": "https://example.com"], create: "SecurityError", get: "SecurityError"),
        Caller(
            name: "a page without TLS", message: ["origin": "http://example.org"],
            body: ["origin": "http://example.org"],
            create: "SecurityError", get: "SecurityError"),
        Caller(
            name: "a document without permission", message: ["permissions": []], create: "NotAllowedError",
            get: "NotAllowedError"),
        Caller(
            name: "a document with one permission", message: ["permissions": ["get"]], create: "NotAllowedError",
            get: nil),
        Caller(
            name: "a frame without a gesture", message: ["ancestors": frame], create: "NotAllowedError", get: nil),
        Caller(
            name: "a frame with a gesture", message: ["ancestors": frame, "hasGesture": true], create: nil, get: nil),
        Caller(
            name: "a frame without permissions",
            message: ["ancestors": frame, "hasGesture": true, "permissions": .null],
            create: "NotAllowedError", get: "NotAllowedError"),
        Caller(
            name: "a frame whose top the browser confirms", message: ["ancestors": frame, "hasGesture": true],
            body: ["topOrigin": "https://other.example"], create: nil, get: nil),
        Caller(
            name: "a frame whose top is another one", message: ["ancestors": frame, "hasGesture": true],
            body: ["topOrigin": "https://third.example"], create: "NotAllowedError", get: "NotAllowedError"),
        Caller(
            name: "a frame in an opaque page", message: ["ancestors": ["null"], "hasGesture": true],
            create: "NotAllowedError", get: "NotAllowedError"),
        Caller(
            name: "a silent request", message: ["mediation": "silent"], create: nil, get: nil),
        Caller(
            name: "a document with another request", message: ["isBusy": true], create: "OperationError",
            get: "OperationError"),
    ]

    @Test("A document that may not make a request gets its error, and the device is not asked", arguments: callers)
    func callersAreChecked(caller: Caller) async throws {
        try await Self.withPasskey { control, _ in
            func without(_ nulls: [String: JSONValue], _ request: JSONValue) -> JSONValue {
                .object((request.object ?? [:]).filter { nulls[$0.key] != .null })
            }
            for (request, error) in [
                (try Self.create(message: caller.message, body: caller.body), caller.create),
                (try Self.get(message: caller.message, body: caller.body), caller.get),
            ] {
                var members = without(caller.body, request).object ?? [:]
                members["message"] = without(caller.message, members["message"] ?? [:])
                let before = try await control.get("/v1/devices/phone/events").json["lastId"]
                let answer = try await control.post(Self.path, .object(members))
                #expect(answer.status == 200)
                #expect(answer.json["error"]?["name"]?.text == error)
                #expect((answer.json["value"]?["id"] != nil) == (error == nil))
                let after = try await control.get("/v1/devices/phone/events").json["lastId"]
                #expect((before == after) == (error != nil))
            }
        }
    }

    @Test("Client data has the frame's origin and that of the page around it")
    func clientDataNamesTheTop() async throws {
        try await Self.withPasskey { control, _ in
            for (ancestors, top) in [
                (["https://example.org"], nil), (["https://other.example"], "https://other.example"),
                (["https://other.example", "https://example.org"], "https://example.org"),
            ] as [([String], String?)] {
                let request = try Self.get(message: ["ancestors": .array(ancestors.map(JSONValue.text))])
                let value = try await control.post(Self.path, request).json["value"]
                let bytes = try #require(value?["response"]?["clientDataJSON"]?.text.flatMap(Base64URL.decode))
                let data = try JSONValue(parsing: bytes)
                #expect(data["origin"] == "https://example.org")
                #expect(data["crossOrigin"] == .bool(top != nil))
                #expect(data["topOrigin"]?.text == top)
            }
        }
    }

    @Test(
        "A message that is none is refused with the member",
        arguments: [
            [:], ["message": ["kind": "get"]], ["message": ["kind": "cancel", "origin": "https://example.org"]],
            ["message": ["kind": "get", "origin": "https://example.org"], "other": 1],
        ] as [JSONValue])
    func malformedMessagesAreRefused(body: JSONValue) async throws {
        try await Control.run { control in
            try await control.device("pixel-fingerprint")
            let answer = try await control.post(Self.path, body)
            #expect(answer.status == 400)
            #expect(answer.code == "json.invalidMember")
        }
    }

    // MARK: Ceremonies

    @Test("A page gets the credential, or the error's name without the device's reasons")
    func ceremonies() async throws {
        try await Self.withPasskey { control, id in
            let got = try await control.post(Self.path, Self.get(body: ["account": 1]))
            #expect(got.json["value"]?["id"]?.text == id)
            #expect(got.json["value"]?["response"]?["signature"] != nil)
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["cancel"]])
            let refused = try await control.post(Self.path, Self.get())
            #expect(refused.json["error"]?["name"] == "NotAllowedError")
            let message = try #require(refused.json["error"]?["message"]?.text)
            #expect(message.hasPrefix("The operation either timed out or was not allowed."))
            let warning = try #require(refused.json["warning"]?.text)
            #expect(warning.hasPrefix("Touchstone: the device “phone” ends get() with NotAllowedError: "))
            let wrong = try await control.post(Self.path, Self.request("get", ["challenge": 5]))
            #expect(wrong.json["error"]?["name"] == "TypeError")
            let records = try await control.get("/v1/devices/phone/ceremonies").decode([CeremonyRecord].self)
            #expect(records.map(\.kind) == [.get, .get, .get, .create])
        }
    }

    @Test("A conditional create() needs a sign-in with a password, and shows no prompt")
    func conditionalCreate() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            var options = try #require(Options.create(uv: "preferred")["options"]?.object)
            options["user"] = ["id": "BAUG", "name": "ada", "displayName": "Ada"]
            let request = Self.request("create", .object(options), message: ["mediation": "conditional"])
            #expect(try await control.post(Self.path, request).json["error"]?["name"] == "NotAllowedError")
            try await control.post("/v1/devices/phone/password-sign-ins", ["origin": "https://example.org"])
            #expect(try await control.post(Self.path, request).json["value"]?["id"] != nil)
            let events = try await control.get("/v1/devices/phone/events").json["events"]?.array ?? []
            #expect(!events.contains { $0["event"]?["text"]?.text?.hasPrefix("prompt for") ?? false })
        }
    }

    @Test("A ceremony that begins without the user ends with its timeout; without a device it is refused")
    func absentUserAndDevice() async throws {
        try await Self.withPasskey { control, _ in
            let options: JSONValue = ["challenge": Options.challenge, "rpId": "example.org", "timeout": 0]
            for (device, isUserPresent) in [("phone", false), (nil, true)] as [(String?, Bool)] {
                let answer = try await control.server.answerPage(
                    Self.request("get", options), with: device, isUserPresent: isUserPresent)
                guard case .error(let error) = answer else {
                    Issue.record("the page gets no error")
                    continue
                }
                #expect(error.name == "NotAllowedError")
            }
            // The checks of the caller come first.
            let busy = try await control.server.answerPage(
                Self.request("get", options, message: ["isBusy": true]), with: "phone", isUserPresent: false)
            guard case .error(let error) = busy else {
                Issue.record("the page gets no error")
                return
            }
            #expect(error.name == "OperationError")
        }
    }

    // MARK: Signals

    /// A signal that would delete or rename the passkey of example.org.
    private static func signals(_ id: String, for relyingPartyID: JSONValue) -> [(String, JSONValue)] {
        [
            ("signalUnknownCredential", ["rpId": relyingPartyID, "credentialId": .text(id)]),
            (
                "signalAllAcceptedCredentials",
                ["rpId": relyingPartyID, "userId": "AQID", "allAcceptedCredentialIds": []]
            ),
            (
                "signalCurrentUserDetails",
                ["rpId": relyingPartyID, "userId": "AQID", "name": "eve", "displayName": "Eve"]
            ),
        ]
    }

    private static func signal(_ name: String, _ options: JSONValue, at origin: String = "https://example.org")
        -> JSONValue
    {
        request(
            "signal", options, message: ["signal": .text(name), "origin": .text(origin), "permissions": []],
            body: ["origin": .text(origin)])
    }

    @Test(
        "A signal for an RP ID that the page may not claim is a SecurityError, and the passkeys stay",
        arguments: [
            ("https://example.com", "example.org"), ("https://example.org", "login.example.org"),
            ("https://notexample.org", "example.org"), ("https://example.org.evil.com", "example.org"),
            ("https://127.0.0.1", "example.org"), ("http://example.org", "example.org"), ("https://example.org", "org"),
            ("https://shop.co.uk", "co.uk"), ("http://other.localhost", "localhost"),
        ])
    func foreignSignalsAreRefused(origin: String, relyingPartyID: String) async throws {
        try await Self.withPasskey { control, id in
            let before = try await control.get("/v1/devices/phone/credentials").json
            for (name, options) in Self.signals(id, for: .text(relyingPartyID)) {
                let answer = try await control.post(Self.path, Self.signal(name, options, at: origin))
                #expect(answer.json["error"]?["name"] == "SecurityError", "\(name)")
            }
            #expect(try await control.get("/v1/devices/phone/credentials").json == before)
        }
    }

    @Test(
        "A page signals news of its own passkeys, also below its RP ID",
        arguments: ["https://example.org", "https://login.example.org:8443"])
    func ownSignalsReachTheDevice(origin: String) async throws {
        try await Self.withPasskey { control, id in
            func send(_ place: Int) async throws {
                let (name, options) = Self.signals(id, for: "example.org")[place]
                #expect(
                    try await control.post(Self.path, Self.signal(name, options, at: origin)).json == ["value": .null])
            }
            try await send(2)
            let renamed = try #require(try await Self.credentials(control).first)
            #expect([renamed.userName, renamed.userDisplayName] == ["eve", "Eve"])
            try await send(0)
            #expect(try await Self.credentials(control).isEmpty)
            try await control.post(Self.path, Self.create())
            try await send(1)
            #expect(try await Self.credentials(control).isEmpty)
        }
    }

    @Test(
        "A signal without text in base64url is a TypeError, and an unknown one is not supported",
        arguments: [
            ("signalUnknownCredential", ["rpId": "example.org", "credentialId": "a+"], "TypeError"),
            ("signalUnknownCredential", ["rpId": "example.org"], "TypeError"),
            ("signalUnknownCredential", ["rpId": 5, "credentialId": "AQ"], "TypeError"),
            ("signalUnknownCredential", ["credentialId": "AQ"], "TypeError"),
            (
                "signalAllAcceptedCredentials",
                ["rpId": "example.org", "userId": "AQID", "allAcceptedCredentialIds": ["="]], "TypeError"
            ),
            ("signalCurrentUserDetails", ["rpId": "example.org", "userId": "=", "name": "eve"], "TypeError"),
            ("signalNothing", ["rpId": "example.org"], "NotSupportedError"),
        ] as [(String, JSONValue, String)])
    func malformedSignalsAreRefused(name: String, options: JSONValue, error: String) async throws {
        try await Self.withPasskey { control, id in
            let answer = try await control.post(Self.path, Self.signal(name, options))
            #expect(answer.json["error"]?["name"]?.text == error)
            #expect(try await Self.credentials(control).map { Base64URL.encode($0.credentialId.bytes) } == [id])
        }
    }

    // MARK: Capabilities

    @Test(
        "The capabilities follow the device and the switch of conditional mediation",
        arguments: [("iphone-face-id", true, true), ("security-key-bio", false, false)])
    func capabilities(profile: String, isPlatform: Bool, createsConditionally: Bool) async throws {
        try await Control.run { control in
            try await control.device(profile)
            for isAvailable in [true, false] {
                try await control.send(
                    "PATCH", "/v1/devices/phone/ceremonies/conditional", ["isAvailable": .bool(isAvailable)])
                let answer = try await control.post(Self.path, Self.request("capabilities"))
                #expect(
                    answer.json["value"] == [
                        "conditionalCreate": .bool(createsConditionally), "conditionalGet": .bool(isAvailable),
                        "hybridTransport": .bool(isPlatform), "passkeyPlatformAuthenticator": .bool(isPlatform),
                        "relatedOrigins": false, "signalAllAcceptedCredentials": true,
                        "signalCurrentUserDetails": true, "signalUnknownCredential": true,
                        "userVerifyingPlatformAuthenticator": .bool(isPlatform),
                    ])
            }
            let conditional = try Self.get(message: ["mediation": "conditional"])
            #expect(try await control.post(Self.path, conditional).json["error"]?["name"] == "TypeError")
        }
    }

    @Test("A browser without a device has no platform authenticator and no conditional requests")
    func noCapabilities() async throws {
        try await Control.run { control in
            let answer = try await control.server.answerPage(Self.request("capabilities"), with: nil)
            let value = try JSONValue(parsing: answer.json())["value"]
            #expect(value?["conditionalGet"] == false)
            #expect(value?["userVerifyingPlatformAuthenticator"] == false)
            #expect(value?["signalUnknownCredential"] == true)
        }
    }

    @Test("The scripts have names of their own each time, and keep no place of a name")
    func scripts() async throws {
        try await Control.run { control in
            var names: Set<String> = []
            for _ in 0..<2 {
                let scripts: PageScripts = try await control.get("/v1/page-scripts").decode()
                names.formUnion([scripts.world, scripts.binding])
                #expect(scripts.relay.contains(scripts.binding))
                for script in [scripts.page, scripts.relay, scripts.classes] {
                    #expect(!script.isEmpty && !script.contains("__TOUCHSTONE"))
                }
            }
            #expect(names.count == 4)
        }
    }
}
