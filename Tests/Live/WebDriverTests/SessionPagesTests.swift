import ControlAPI
import DeviceHost
import DeviceProfiles
import Documents
import Foundation
import Logging
import LoopbackHTTP
import ProfileFiles
import TestSupport
import Testing

@testable import WebDriver

/// The way of pages' requests to the devices of a session, without a browser.
@Suite(.timeLimit(.minutes(30))) struct SessionPagesTests {
    /// A browser whose documents the test plays.
    private struct PlayedDocuments: PageDocuments {
        let events = AsyncStream.makeStream(of: DocumentEvent.self)
        let expressions = AsyncStream.makeStream(of: String.self)

        func prepare() async throws {}

        func run(_ pass: @Sendable (DocumentEvent) async -> Void) async {
            for await event in events.stream { await pass(event) }
        }

        func evaluate(_ expression: String, in id: DocumentID) { expressions.continuation.yield(expression) }

        func close() { events.continuation.finish() }
    }

    /// A session with a control API.
    private struct Session: Sendable {
        let documents: PlayedDocuments
        let control: ControlClient
        let pages: SessionPages

        /// A page sends a request.
        func send(_ id: Int, _ kind: String, _ members: [String: JSONValue] = [:], page: String = "page") throws {
            var message: [String: JSONValue] = [
                "id": .integer(id), "kind": .text(kind), "origin": "https://example.org", "ancestors": [],
                "permissions": ["create", "get"],
            ]
            message.merge(members) { $1 }
            let text = String(decoding: try JSONValue.object(message).bytes(), as: UTF8.self)
            let document = DocumentID(page: page, session: page, context: "1")
            documents.events.continuation.yield(.message(text, document, origin: "https://example.org"))
        }

        func create(_ id: Int) throws { try send(id, "create", ["options": SessionPagesTests.creation]) }

        func suggest(_ id: Int) throws {
            try send(id, "get", ["mediation": "conditional", "options": SessionPagesTests.request])
        }

        /// The next answer that a page gets.
        func next() async throws -> String {
            for await expression in documents.expressions.stream { return expression }
            return ""
        }

        /// Returns as soon as a device has a waiting request.
        func waits(on name: String) async throws {
            while try await control.send("GET", "/v1/devices/\(name)/browser-requests").json == [] {}
        }

        /// Starts a device at the control API.
        func start(_ name: String) async throws {
            let body: JSONValue = ["profile": "pixel-fingerprint", "name": .text(name), "clock": "simulated"]
            #expect(try await control.send("POST", "/v1/devices", body).answer.status == 201)
        }
    }

    private static let challenge: JSONValue = "AAECAwQFBgcICQoLDA0ODw"
    fileprivate static let request: JSONValue = ["challenge": challenge, "rpId": "example.org"]
    fileprivate static let creation: JSONValue = [
        "rp": ["name": "Example", "id": "example.org"], "challenge": challenge,
        "user": ["id": "AQID", "name": "ada", "displayName": "Ada"],
        "pubKeyCredParams": [["type": "public-key", "alg": -7]],
        "authenticatorSelection": ["residentKey": "required", "userVerification": "required"],
    ]

    /// Runs a session without devices.
    private static func run(_ use: @Sendable (Session) async throws -> Void) async throws {
        let folder = try TemporaryFolder("pages")
        let token = AccessToken()
        var configuration = ControlConfiguration(token: token, profiles: try ProfileLibrary.standard())
        configuration.directory = DeviceSocketDirectory(path: folder.url.path)
        let server = try await ControlServer.start(configuration)
        let control = ControlClient(server, token: token)
        let documents = PlayedDocuments()
        let logger = Logger(label: "pages", factory: { _ in SwiftLogNoOpLogHandler() })
        let session = Session(
            documents: documents, control: control, pages: SessionPages(documents, control, nil, logger: logger))
        let work = Task { await session.pages.run() }
        do {
            try await use(session)
        } catch {
            Issue.record(error)
        }
        documents.close()
        await work.value
        await server.stop()
    }

    @Test("Without a device a page gets NotAllowedError, and a browser has no conditional requests")
    func noDevice() async throws {
        try await Self.run { session in
            try session.create(1)
            #expect(try await session.next().contains(#""name":"NotAllowedError""#))
            try session.send(2, "capabilities")
            let answer = try await session.next()
            #expect(answer.hasPrefix("touchstoneAnswer({id: 2, ") && answer.contains(#""conditionalGet":false"#))
        }
    }

    @Test("The device of a page answers it; witnesses learn of credentials and signals before the page does")
    func devicesHavePages() async throws {
        try await Self.run { session in
            for name in ["one", "other"] { try await session.start(name) }
            let (news, witness) = AsyncStream.makeStream(of: String.self)
            await session.pages.add(PageDevice(name: "one", page: "page")) { news in
                switch news {
                case .created(let id): witness.yield("created \(id)")
                case .asserted(let id): witness.yield("asserted \(id)")
                case .signalled: witness.yield("signalled")
                }
            }
            await session.pages.add(PageDevice(name: "other", page: "elsewhere"))
            try session.create(1)
            let made = try await session.next()
            var seen = news.makeAsyncIterator()
            let created = try #require(await seen.next())
            #expect(created.hasPrefix("created "))
            let id = created.dropFirst("created ".count)
            #expect(made.contains("\"id\":\"\(id)\""))
            try session.send(2, "get", ["options": Self.request])
            _ = try await session.next()
            #expect(await seen.next() == "asserted \(id)")
            // Another site's signal changes nothing, so the witness does not learn of it.
            let options: JSONValue = ["rpId": "example.com", "credentialId": .text(String(id))]
            try session.send(3, "signal", ["signal": "signalUnknownCredential", "options": options])
            #expect(try await session.next().contains("SecurityError"))
            let own: JSONValue = ["rpId": "example.org", "credentialId": .text(String(id))]
            try session.send(4, "signal", ["signal": "signalUnknownCredential", "options": own])
            #expect(try await session.next() == #"touchstoneAnswer({id: 4, ..."# + #"{"value":null}})"#)
            #expect(await seen.next() == "signalled")
        }
    }

    @Test("A conditional request waits for a device, and goes on to the next when its device ends")
    func conditionalRequestsFollowDevices() async throws {
        try await Self.run { session in
            for name in ["one", "other", "third"] { try await session.start(name) }
            try session.suggest(1)
            await session.pages.add(PageDevice(name: "one"))
            try await session.waits(on: "one")
            await session.pages.add(PageDevice(name: "other", picksSuggestions: true))
            try await session.waits(on: "other")
            try session.create(2)
            #expect(try await session.next().hasPrefix("touchstoneAnswer({id: 2, "))
            await session.pages.offerSuggestions()
            #expect(try await session.next().hasPrefix("touchstoneAnswer({id: 1, ...{\"value\":"))

            #expect(try await session.control.send("DELETE", "/v1/devices/other/credentials").answer.status == 204)
            try session.suggest(4)
            try await session.waits(on: "other")
            #expect(try await session.control.send("DELETE", "/v1/devices/other").answer.status == 204)
            await session.pages.remove("other")
            // The first device has no passkey.
            let failure = try await session.pages.pick([:])
            #expect(failure?["name"] == "NotAllowedError")
            await session.pages.add(PageDevice(name: "third"))
            try session.create(5)
            #expect(try await session.next().hasPrefix("touchstoneAnswer({id: 5, "))
            #expect(try await session.pages.pick([:]) == nil)
            #expect(try await session.next().hasPrefix("touchstoneAnswer({id: 4, ...{\"value\":"))
        }
    }

    @Test("A page that is left, or cancels, has no request that could be picked")
    func leftRequestsAreForgotten() async throws {
        try await Self.run { session in
            try await session.start("one")
            await session.pages.add(PageDevice(name: "one"))
            for isLeft in [true, false] {
                try session.suggest(1)
                try session.create(2)
                #expect(try await session.next().hasPrefix("touchstoneAnswer({id: 2, "))
                if isLeft {
                    session.documents.events.continuation.yield(.left(session: "page", context: nil))
                } else {
                    try session.send(1, "cancel")
                }
                try session.send(3, "capabilities")
                #expect(try await session.next().hasPrefix("touchstoneAnswer({id: 3, "))
                await #expect(throws: (any Error).self) { try await session.pages.pick([:]) }
            }
        }
    }
}
