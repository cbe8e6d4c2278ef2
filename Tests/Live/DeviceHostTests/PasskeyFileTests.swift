import DeviceActs
import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import Transports

@testable import DeviceHost

/// Documents of passkeys in files, as `touchstone device export-passkeys` and `import-passkeys` ask for them.
@Suite("Files of passkeys")
struct PasskeyFileTests {
    private static func host(_ profile: String, _ socket: TestSocket) async throws -> DeviceHost {
        try await DeviceHost.start(
            try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile(profile),
            name: profile, habit: .auto, connections: DeviceConnections(), clock: .simulated(ManualTime()),
            directory: socket.directory)
    }

    /// A document with one passkey.
    private static let document = """
        {
          "version": { "major": 1, "minor": 0 }, "exporterRpId": "a.example", "exporterDisplayName": "A",
          "timestamp": 1770000000,
          "accounts": [ { "id": "AQ", "username": "", "email": "", "collections": [], "items": [ { "id": "Ag", "title": "",
            "credentials": [ {
              "type": "passkey", "credentialId": "AQI", "rpId": "example.com", "username": "ada", "userDisplayName": "",
              "userHandle": "AQ",
              "key": "MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fIA"
            } ] } ] } ]
        }
        """

    private static func importing(_ arguments: [String: String] = [:]) throws -> DeviceAct {
        try DeviceAct(verb: "import-passkeys", arguments: arguments.merging(["document": "{}"]) { first, _ in first })
    }

    private static let exporting = "export-passkeys"

    @Test("A document is written with mode 0600 and replaced as a whole, and another device imports it")
    func roundTrip() async throws {
        try await TestSocket.run { socket in
            try socket.directory.prepare()
            let (phone, vault) = (
                try await Self.host("iphone-face-id", socket), try await Self.host("bitwarden", socket)
            )
            let folder = try TemporaryFolder()
            let (source, path) = (folder.path("source.json"), folder.path("vault.json"))
            try Data(Self.document.utf8).write(to: URL(filePath: source))
            let imported = try await phone.perform(.importPasskeys(try Self.importing(), path: source))
            #expect(imported.answer == "1 passkey (ada at example.com)")
            for _ in 1...2 {
                let exported = try await phone.perform(.exportPasskeys(try DeviceAct(verb: Self.exporting), path: path))
                #expect(exported.answer == "1 passkey (ada at example.com)")
            }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
            #expect(try await vault.perform(.importPasskeys(try Self.importing(), path: path)).answer != nil)
            await #expect(throws: DeviceHostError.self) {
                _ = try await vault.perform(.importPasskeys(try Self.importing(), path: path))
            }
        }
    }

    @Test("A file of another kind is not replaced, and the user is not asked")
    func otherFile() async throws {
        try await TestSocket.run { socket in
            try socket.directory.prepare()
            let phone = try await Self.host("iphone-face-id", socket)
            let folder = try TemporaryFolder()
            let (source, other) = (folder.path("source.json"), folder.path("letter.txt"))
            try Data(Self.document.utf8).write(to: URL(filePath: source))
            try Data("Dear Ada".utf8).write(to: URL(filePath: other))
            _ = try await phone.perform(.importPasskeys(try Self.importing(), path: source))
            let prompts = phone.device.log.all.count
            await #expect(
                throws: DeviceHostError.impossible(
                    "\(other): it exists and is not a document of passkeys; choose another name or remove it")
            ) {
                _ = try await phone.perform(.exportPasskeys(try DeviceAct(verb: Self.exporting), path: other))
            }
            #expect(phone.device.log.all.count == prompts)
            #expect(try String(contentsOfFile: other, encoding: .utf8) == "Dear Ada")
        }
    }

    @Test("A damaged, missing or binary file is refused with its name, and a damaged passkey with its line")
    func badFiles() async throws {
        try await TestSocket.run { socket in
            try socket.directory.prepare()
            let phone = try await Self.host("iphone-face-id", socket)
            let folder = try TemporaryFolder()
            let path = folder.path("vault.json")
            let key = "\"key\": \"MEEC"
            for (content, words) in [
                (nil, "\(path) cannot be read; name a file"), (Data([0xFF]), "\(path) is not text in UTF-8"),
                (Data("{}".utf8), "\(path):1:1: version is missing"),
                (
                    Data(Self.document.replacing(key, with: "\"key\": \"=EEC").utf8),
                    "\(path):8:14: accounts[0].items[0].credentials[0].key: has padding"
                ),
            ] as [(Data?, String)] {
                try content?.write(to: URL(filePath: path))
                let error = await #expect(throws: DeviceHostError.self) {
                    _ = try await phone.perform(.importPasskeys(try Self.importing(), path: path))
                }
                #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
            }
            await #expect(throws: DeviceHostError.impossible("expected the absolute path of a file")) {
                _ = try await phone.perform(.importPasskeys(try Self.importing(), path: "vault.json"))
            }
        }
    }
}
