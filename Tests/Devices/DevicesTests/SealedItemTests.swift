import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import Synchronization
import Testing
import VirtualAuthenticator

/// A stored secret is never in plain text, and only its own key opens it.
@Suite("Secrets at rest")
struct SealedItemTests {
    static let secret = Array("a secret that must not be found".utf8)
    static let protection = SecureStorage.Protection(.anyBiometry)

    private static func phone() async throws -> Device {
        let phone = try Device("iphone-face-id")
        try await phone.storage.store(secret, as: "token", protection: protection)
        return phone
    }

    private static func back(_ stored: StoredDevice, storage: KeptSecrets? = nil) throws -> Device {
        try Device(Shop.library.profile("iphone-face-id"), storage: storage, restoring: stored)
    }

    @Test("Neither the item nor the vault contains the secret's bytes")
    func exported() async throws {
        let stored = try await Self.phone().device.exportState()
        let item = try #require(stored.secrets["token"])
        let key = try #require(stored.vault["token"])
        #expect(key.count == 32)
        for bytes in [item, key, stored.authenticator.settings] {
            #expect(bytes.firstRange(of: Self.secret) == nil)
            // Not as the numbers in JSON either.
            let numbers = Self.secret.map(String.init).joined(separator: ",")
            #expect(bytes.firstRange(of: Array(numbers.utf8)) == nil)
        }
        #expect(await (try Self.back(stored)).storage.read("token") == .success(Self.secret))
    }

    @Test("Every item has its own key, and a new one each time it is stored")
    func keys() async throws {
        let phone = try await Self.phone()
        try await phone.storage.store(Self.secret, as: "other", protection: Self.protection)
        let first = try await phone.device.exportState().vault
        #expect(first["token"] != first["other"])
        try await phone.storage.store(Self.secret, as: "token", protection: Self.protection)
        let second = try await phone.device.exportState().vault
        #expect(second["token"] != first["token"])
        #expect(second["other"] == first["other"])
    }

    @Test("An item is lost with its key")
    func noKey() async throws {
        var stored = try await Self.phone().device.exportState()
        stored.vault = [:]
        let phone = try Self.back(stored)
        #expect(await phone.storage.read("token") == .failure(.keyInvalidated))
        #expect(await phone.storage.read("token") == .failure(.itemMissing))
    }

    @Test(
        "An item that was tampered with does not open",
        arguments: [
            ("any-biometry", "none"), ("when-unlocked", "always"), ("\"migrates\":false", "\"migrates\":true"),
        ])
    func tampered(text: String, forgery: String) async throws {
        var stored = try await Self.phone().device.exportState()
        let item = String(decoding: try #require(stored.secrets["token"]), as: UTF8.self)
        try #require(item.contains(text))
        stored.secrets["token"] = Array(item.replacingOccurrences(of: text, with: forgery).utf8)
        let reading = await (try Self.back(stored)).storage.read("token")
        #expect(reading == .failure(.unableToProcess))
    }

    @Test("An item does not open under another name, for another app or with another's key")
    func swapped() async throws {
        let phone = try await Self.phone()
        try await phone.storage.store([7], as: "other", protection: Self.protection)
        let honest = try await phone.device.exportState()
        var renamed = honest
        renamed.secrets["other"] = honest.secrets["token"]
        renamed.vault["other"] = honest.vault["token"]
        #expect(await (try Self.back(renamed)).storage.read("other") == .failure(.unableToProcess))
        var swapped = honest
        swapped.vault["token"] = honest.vault["other"]
        #expect(await (try Self.back(swapped)).storage.read("token") == .failure(.unableToProcess))
        var moved = honest
        let foreign = SecretID("token", app: "mail")
        moved.secrets[foreign] = honest.secrets["token"]
        moved.vault[foreign] = honest.vault["token"]
        let mail = try Self.back(moved)
        try await mail.device.perform(.install, app: "mail")
        try await mail.device.perform(.launch, app: "mail")
        #expect(await mail.storage.read("token", app: "mail") == .failure(.unableToProcess))
    }

    /// The format before the vault.
    static let former = #"{"access":"current-set","bindingGeneration":0,"secret":[1,2,3]}"#

    @Test("A secret of an older version is read, and sealed at once")
    func formerVersion() async throws {
        var stored = try await Device("iphone-face-id").device.exportState()
        stored.secrets = ["token": Array(Self.former.utf8)]
        let kept = KeptSecrets()
        let phone = try Self.back(stored, storage: kept)
        let written = try #require(kept.last)
        #expect(written.keys["token"]?.count == 32)
        #expect(written.items["token"].map { String(decoding: $0, as: UTF8.self).contains("[1,2,3]") } == false)
        #expect(await phone.storage.read("token") == .success([1, 2, 3]))
        // It is still bound to the same templates.
        try await phone.device.enrol("stranger")
        #expect(await phone.storage.read("token") == .failure(.keyInvalidated))
    }

    @Test("An invalid item is refused, not dropped")
    func unreadable() async throws {
        var stored = try await Self.phone().device.exportState()
        stored.secrets["token"] = Array("{}".utf8)
        #expect(throws: DecodingError.self) { try Self.back(stored) }
        stored.secrets = [:]
        stored.life = Array("nonsense".utf8)
        #expect(throws: DecodingError.self) { try Self.back(stored) }
    }
}

/// A storage that records the changes it stores.
final class KeptSecrets: DeviceStorage {
    private let changes = Mutex<[SecretChange]>([])

    var last: SecretChange? { changes.withLock { $0.last } }

    func commit(_ change: StorageChange) throws {}
    func commit(_ change: SecretChange) throws { changes.withLock { $0.append(change) } }
}
