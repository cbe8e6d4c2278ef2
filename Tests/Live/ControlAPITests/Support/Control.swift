import DeviceHost
import DeviceProfiles
import Documents
import Foundation
import HTTPTypes
import ProfileFiles
import TestSupport
import Testing

@testable import ControlAPI

/// A control server in this process, and a client that checks every answer against the OpenAPI document.
struct Control: Sendable {
    let server: ControlServer
    let configuration: ControlConfiguration
    let operations: [ControlAPI.Operation]
    var wire: Wire { Wire(port: server.port) }
    var authorization: [String: String] { ["Authorization": "Bearer \(configuration.token.text)"] }

    /// Runs a server for as long as `use` does.
    static func run(
        configure: (inout ControlConfiguration) -> Void = { _ in }, _ use: (Control) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "control-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = ControlConfiguration(
            token: AccessToken(),
            profiles: ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path))
        configuration.directory = DeviceSocketDirectory(path: directory.path)
        configure(&configuration)
        let server = try await ControlServer.start(configuration)
        let journal = EventJournal(capacity: 1)
        let operations = ControlOperations(
            configuration: configuration, fleet: Fleet(configuration: configuration, journal: journal),
            journal: journal, tokens: AccessTokens(configuration.token, time: configuration.clock),
            sockets: RequestSockets(time: configuration.clock, logger: configuration.logger))
        do {
            try await use(Control(server: server, configuration: configuration, operations: operations.all))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// An answer, with its JSON.
    struct Answer: Sendable {
        let status: Int
        let json: JSONValue
        let wire: Wire.Answer

        var code: String? { json["error"]?["code"]?.text }
        /// The error of a WebDriver command.
        var webDriverError: String? { json["value"]?["error"]?.text }

        func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: Data(wire.body))
        }
    }

    /// Sends a request with the token, and checks the answer against the document.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: JSONValue? = nil, fields: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        var all = authorization.merging(fields) { _, given in given }
        var bytes: [UInt8] = []
        if let body {
            bytes = Array(try JSONEncoder().encode(body))
            if all["Content-Type"] == nil { all["Content-Type"] = "application/json" }
        }
        let answer = try await wire.send(method, path, fields: all, body: bytes)
        let json =
            answer.body.isEmpty ? JSONValue.null : try JSONDecoder().decode(JSONValue.self, from: Data(answer.body))
        check(method, path, answer.status, json, sourceLocation)
        return Answer(status: answer.status, json: json, wire: answer)
    }

    func get(_ path: String) async throws -> Answer { try await send("GET", path) }
    @discardableResult
    func post(_ path: String, _ body: JSONValue) async throws -> Answer { try await send("POST", path, body) }

    /// Starts a device on a simulated clock.
    @discardableResult
    func device(_ profile: String, _ name: String = "phone", person: String = "auto") async throws -> Answer {
        let answer = try await post(
            "/v1/devices",
            ["profile": .text(profile), "name": .text(name), "clock": "simulated", "seed": 7, "person": .text(person)])
        #expect(answer.status == 201)
        return answer
    }

    private func check(
        _ method: String, _ path: String, _ status: Int, _ json: JSONValue, _ location: SourceLocation
    ) {
        let segments = path.prefix { $0 != "?" }.split(separator: "/")
        let operation = operations.first { operation in
            let pattern = operation.path.split(separator: "/")
            return operation.method.rawValue == method && pattern.count == segments.count
                && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        guard let operation else { return }
        do {
            if status == Int(operation.answer.status.code) {
                switch operation.answer.content {
                case .none: #expect(json == .null, sourceLocation: location)
                case .json(let schema), .events(let schema): try schema.check(json)
                }
            } else {
                #expect(operation.allErrors.contains(status), "\(status) is undocumented", sourceLocation: location)
                try (operation.dialect == .api ? Schema.apiError : Schema.webDriverError).check(json)
            }
        } catch {
            Issue.record(
                "\(method) \(path) → \(status) differs from the document: \(error)", sourceLocation: location)
        }
    }
}

/// Options of ceremonies at `https://example.org`.
enum Options {
    static let challenge = JSONValue.text("AAECAwQFBgcICQoLDA0ODw")

    static func create(user: String = "AQID", uv: String = "required", residentKey: String = "required") -> JSONValue {
        [
            "origin": "https://example.org",
            "options": [
                "rp": ["name": "Example", "id": "example.org"],
                "user": ["id": .text(user), "name": .text("user-\(user)"), "displayName": "A User"],
                "challenge": challenge,
                "pubKeyCredParams": [["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257]],
                "authenticatorSelection": ["userVerification": .text(uv), "residentKey": .text(residentKey)],
            ],
        ]
    }

    static func get(uv: String = "required", allow: [String] = []) -> JSONValue {
        let list = allow.map { JSONValue.object(["type": "public-key", "id": .text($0)]) }
        return [
            "origin": "https://example.org",
            "options": [
                "challenge": challenge, "rpId": "example.org", "userVerification": .text(uv),
                "allowCredentials": .array(list),
            ],
        ]
    }
}
