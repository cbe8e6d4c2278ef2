import Foundation
import TestSupport
import Testing
import WebAuthn
import WebAuthnClient

/// Client data: what a browser says, and what it can be made to say.
struct ClientDataTests {
    /// One ceremony of the specification's test vectors (WebAuthn L3 §16).
    struct Vector: Decodable, Sendable {
        let challenge: String
        let clientDataJSON: String

        var text: String { String(decoding: [UInt8](hex: clientDataJSON), as: UTF8.self) }
    }

    struct Vectors: Decodable {
        let vectors: [String: [String: Vector]]

        private enum CodingKeys: CodingKey { case vectors }

        init(from decoder: any Decoder) throws {
            struct Pair: Decodable {
                let registration: Vector
                let authentication: Vector
            }
            let pairs = try decoder.container(keyedBy: CodingKeys.self).decode([String: Pair].self, forKey: .vectors)
            vectors = pairs.mapValues { ["create": $0.registration, "get": $0.authentication] }
        }

        static func load() throws -> [String: [String: Vector]] {
            let url = PackageRoot.url.appending(path: "Tests/RelyingPartyTests/Vectors/webauthn-l3.json")
            return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: url)).vectors
        }
    }

    /// Members of client data that the specification's own types do not keep apart.
    private struct Members: Decodable {
        let crossOrigin: Bool
        let topOrigin: String?
        let extraData: String?
    }

    @Test func everyVectorsClientDataCanBeMade() async throws {
        let vectors = try Vectors.load()
        #expect(vectors.count == 15)
        for (name, ceremonies) in vectors {
            for (ceremony, vector) in ceremonies {
                let members = try JSONDecoder().decode(Members.self, from: Data(vector.text.utf8))
                var environment = environment()
                environment.clientData = ClientDataVariation(
                    crossOrigin: members.crossOrigin,
                    extraMembers: members.extraData.map { [.init(name: "extraData", value: $0)] } ?? [])
                let topOrigin = try members.topOrigin.map { try Origin(parsing: $0) }
                let device = FakeAuthenticator([:])
                await device.add([1])
                let client = client(device, environment)
                let made: [UInt8]
                if ceremony == "create" {
                    var options = CreationOptions.test()
                    options.challenge = Base64URLBytes([UInt8](hex: vector.challenge))
                    made = try await client.create(options, origin: .test(), topOrigin: topOrigin).response
                        .clientDataJSON.bytes
                } else {
                    var options = RequestOptions.test()
                    options.challenge = Base64URLBytes([UInt8](hex: vector.challenge))
                    made = try await client.get(options, origin: .test(), topOrigin: topOrigin).response
                        .clientDataJSON.bytes
                }
                #expect(String(decoding: made, as: UTF8.self) == vector.text, "\(name), \(ceremony)")
            }
        }
    }

    @Test func clientDataCanContradictTheCall() async throws {
        var environment = environment()
        environment.clientData = ClientDataVariation(
            crossOrigin: false, topOrigin: "https://elsewhere.example",
            extraMembers: [.init(name: "a\"b", value: "c\\d\n"), .init(name: "e", value: "f")])
        let response = try await client(FakeAuthenticator([:]), environment).create(
            .test(), origin: .test(), topOrigin: .test("https://shop.example"))
        let json = response.response.clientDataJSON.bytes
        #expect(
            String(decoding: json, as: UTF8.self).hasSuffix(
                #","crossOrigin":false,"topOrigin":"https://elsewhere.example","a\"b":"c\\d\u000a","e":"f"}"#))
        let read = try CollectedClientData(parsing: json)
        #expect(read.topOrigin == "https://elsewhere.example")
        #expect(read.extraMembers.isEmpty)
    }
}
