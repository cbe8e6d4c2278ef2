import DeviceStore
import Foundation
import GRDB
import SimulatedDevice
import Testing
import VirtualAuthenticator

/// Apps' secrets and the device's life in the file: never in plain text, and readable from the previous version.
@Suite("Secrets and device state in a state file")
struct SecretStateTests {
    static let secret = Array("a secret that must not be found".utf8)
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func everyByte(_ names: [String]) throws -> [UInt8] {
        try names.flatMap { name in
            try ["", "-wal"].filter { FileManager.default.fileExists(atPath: workshop.path(name) + $0) }
                .flatMap { try workshop.bytes(name + $0) }
        }
    }

    @Test("No file of a device contains a secret's bytes, with or without a passphrase", arguments: [true, false])
    func nothingInTheClear(isSealed: Bool) async throws {
        let passphrase = isSealed ? Workshop.passphrase : nil
        let store = try workshop.open(profile: "iphone-face-id", passphrase: passphrase)
        let bench = try StoreBench(profile: "iphone-face-id", storage: store)
        for access in SecureStorage.Access.allCases {
            try await bench.device.secureStorage.store(Self.secret, as: access.rawValue, protection: .init(access))
        }
        try DeviceStore.writeSnapshot(
            try await bench.device.exportState(), to: workshop.path("snapshot.state"),
            for: Workshop.identity("iphone-face-id"), createdAt: .zero, sealedLike: store)
        let open = try everyByte(["device.state", "snapshot.state"])
        try bench.device.secureStorage.remove("none")
        try store.close()
        for bytes in [open, try everyByte(["device.state"])] {
            #expect(bytes.count > 10_000)
            #expect(bytes.firstRange(of: Self.secret) == nil)
            #expect(bytes.firstRange(of: Array(Self.secret.map(String.init).joined(separator: ",").utf8)) == nil)
            #expect(bytes.firstRange(of: Array(Data(Self.secret).base64EncodedString().utf8)) == nil)
        }
    }

    @Test("A destroyed key is removed from the file by the event that destroyed it")
    func destroyedKey() async throws {
        let store = try workshop.open(profile: "iphone-face-id")
        let bench = try StoreBench(profile: "iphone-face-id", storage: store)
        try await bench.device.secureStorage.store(Self.secret, as: "token", protection: .init(.currentSet))
        try await bench.device.authenticator.flush()
        let key = try #require(try store.load()?.vault["token"])
        #expect(try everyByte(["device.state"]).firstRange(of: key) != nil)
        try await bench.device.enrol("stranger")
        let after = try #require(try store.load())
        #expect(after.vault.isEmpty)
        #expect(after.secrets.count == 1)
        try store.close()
        #expect(try everyByte(["device.state"]).firstRange(of: key) == nil)
    }

    @Test("Apps, screen, network and the items of several apps are restored")
    func life() async throws {
        let store = try workshop.open(profile: "pixel-fingerprint")
        let bench = try StoreBench(profile: "pixel-fingerprint", storage: store)
        try await bench.device.perform(.install, app: "mail")
        try await bench.device.perform(.launch, app: "mail")
        try await bench.device.secureStorage.store([1], as: "token", app: "mail", protection: .init(.none))
        try await bench.device.secureStorage.store([2], as: "token", protection: .init(.none))
        try bench.device.setAirplaneMode(true)
        try await bench.device.authenticator.flush()
        let before = bench.device.lifeState
        try store.close()

        let reopened = try workshop.open(profile: "pixel-fingerprint")
        let back = try StoreBench(
            profile: "pixel-fingerprint", storage: reopened, stored: try reopened.load())
        #expect(back.device.lifeState == before)
        #expect(before.foregroundApp == "mail" && !before.isOnline)
        #expect(await back.device.secureStorage.read("token", app: "mail") == .success([1]))
        #expect(await back.device.secureStorage.read("token") == .success([2]))
        #expect(try StoreReader(workshop.path()).summary.secretNames == ["token", "mail/token"])
    }

    /// Converts a file to the format before apps and vaults.
    private func makeFormer(_ name: String) async throws {
        let queue = try DatabaseQueue(path: workshop.path(name))
        try await queue.write { db in
            try db.execute(
                sql: """
                    DROP TABLE vault;
                    DROP TABLE secrets;
                    CREATE TABLE secrets (name TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL) STRICT;
                    INSERT INTO secrets (name, content) VALUES ('token',
                        CAST('{"access":"current-set","bindingGeneration":0,"secret":[201,202,203]}' AS BLOB));
                    ALTER TABLE state DROP COLUMN life;
                    CREATE INDEX credentials_by_relying_party ON credentials(rp_id_hash);
                    DELETE FROM grdb_migrations WHERE identifier NOT LIKE '1 %';
                    """)
        }
        try queue.close()
    }

    @Test("A file of the first version is read, and sealed when its device starts")
    func formerVersion() async throws {
        let first = try workshop.open(profile: "iphone-face-id")
        try await StoreBench(profile: "iphone-face-id", storage: first).device.authenticator.flush()
        try first.close()
        try await makeFormer("device.state")

        // Reading does not change the file.
        do {
            let reader = try StoreReader(workshop.path())
            #expect(reader.summary.secretNames == ["token"])
            let looked = try #require(try reader.content())
            #expect(looked.secrets.keys.map(\.name) == ["token"])
            #expect(looked.vault.isEmpty && looked.life == nil)
        }

        let store = try workshop.open(profile: "iphone-face-id")
        let bench = try StoreBench(
            profile: "iphone-face-id", storage: store, stored: try store.load())
        #expect(try store.load()?.vault.count == 1)
        #expect(await bench.device.secureStorage.read("token") == .success([201, 202, 203]))
        try store.close()
        #expect(try everyByte(["device.state"]).firstRange(of: Array("201,202,203".utf8)) == nil)
    }
}
