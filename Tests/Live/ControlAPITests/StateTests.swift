import DeviceStore
import Documents
import Foundation
import TestSupport
import Testing
import WebAuthn

/// The state of a device as a file's bytes.
@Suite("Device states")
struct StateTests {
    @Test("A device of another server continues a state with its passkeys, its PIN and its retries")
    func aStateTravels() async throws {
        try await Control.run { control in
            try await control.device("security-key-pin", "key")
            try await control.post("/v1/devices/key/pin", ["newPIN": "1234"])
            var order = try #require(Options.create().object)
            order["pins"] = ["0000", "1234"]
            let made = try await control.post("/v1/devices/key/ceremonies/create", .object(order))
            #expect(made.json["credential"]?["type"] == "public-key")
            order["pins"] = ["0000"]
            try await control.post("/v1/devices/key/ceremonies/create", .object(order))
            let state = try #require(try await control.get("/v1/devices/key/state").json["state"]?.text)

            try await Control.run { other in
                let started = try await other.post("/v1/devices", ["profile": ["state": .text(state)]])
                #expect(started.status == 201)
                #expect(started.json["status"]?["profile"] == "security-key-pin")
                #expect(started.json["status"]?["pinRetries"] == 7)
                let name = try #require(started.json["status"]?["name"]?.text)
                #expect(name == "security-key-pin")
                let kept = try await control.get("/v1/devices/key/credentials").json
                #expect(try await other.get("/v1/devices/\(name)/credentials").json == kept)
                #expect(kept.array?.isEmpty == false)
            }
        }
    }

    @Test("Bytes other than a state of this version start no device")
    func otherBytesAreRefused() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            let state = try #require(try await control.get("/v1/devices/phone/state").json["state"]?.text)
            let bytes = try #require(Base64URL.decode(state))
            var damaged = bytes
            for place in stride(from: 1024, to: damaged.count, by: 7) { damaged[place] ^= 0x55 }
            let cases: [(JSONValue, Int, String)] = [
                (.text(Base64URL.encode(damaged)), 422, "state.invalid"),
                (.text(Base64URL.encode(Array(bytes.prefix(bytes.count / 2)))), 422, "state.invalid"),
                ("AAAA", 422, "state.invalid"), ("=", 422, "base64url.malformed"), ("", 400, "json.invalidMember"),
            ]
            for (text, status, code) in cases {
                let refused = try await control.post("/v1/devices", ["profile": ["state": text]])
                #expect(refused.status == status && refused.code == code, "\(code): \(refused.json)")
            }
            #expect(try await control.get("/v1/devices").json.array?.count == 1)
        }
    }

    @Test("A sealed state, and one that no device has written, are refused with their reason")
    func aStateWithoutContentIsRefused() async throws {
        let folder = try TemporaryFolder()
        let identity = DeviceIdentity(profileName: "x", profileText: "", aaguid: Array(repeating: 0, count: 16))
        try await Control.run { control in
            for (passphrase, reason) in [([1, 2, 3], "sealed with a passphrase"), (nil, "it holds no state")]
                as [([UInt8]?, String)]
            {
                let file = folder.path(passphrase == nil ? "open" : "sealed")
                try DeviceStore.openOrCreate(at: file, for: identity, createdAt: .zero, passphrase: passphrase).close()
                let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
                let refused = try await control.post(
                    "/v1/devices", ["profile": ["state": .text(Base64URL.encode(bytes))]])
                #expect(refused.status == 422 && refused.code == "state.invalid")
                let message = refused.json["error"]?["message"]?.text ?? ""
                #expect(message.contains(reason) && !message.contains(folder.url.path), "\(message)")
            }
        }
    }
}
