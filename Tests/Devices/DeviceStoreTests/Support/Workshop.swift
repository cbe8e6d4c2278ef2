import CBOR
import CTAP
import DeviceProfiles
import DeviceStore
import Foundation
import Machine
import ProfileFiles
import SimulatedDevice
import Synchronization
import TestSupport
import VirtualAuthenticator

/// A directory for one test, removed after it.
final class Workshop: Sendable {
    static let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
    /// Key derivation is cheap in the tests.
    static let cheap = ScryptCost(rounds: 16, blockSize: 1, parallelism: 1)
    static let passphrase = Array("correct horse".utf8)

    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    func path(_ name: String = "device.state") -> String { directory.appending(path: name).path }

    static func identity(_ profile: String = "security-key-complete") throws -> DeviceIdentity {
        DeviceIdentity(try profiles.profile(profile))
    }

    func open(
        _ name: String = "device.state", profile: String = "security-key-complete", passphrase: [UInt8]? = nil,
        durability: DeviceStore.Durability = .normal
    ) throws -> DeviceStore {
        try DeviceStore.openOrCreate(
            at: path(name), for: Self.identity(profile), createdAt: .seconds(1_767_225_600), passphrase: passphrase,
            cost: Self.cheap, durability: durability)
    }

    func bytes(_ name: String = "device.state") throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    func write(_ bytes: [UInt8], to name: String = "device.state") throws {
        try Data(bytes).write(to: URL(filePath: path(name)))
    }

    /// Copies a state as after a crash: the file and its log, while a device has them open.
    func copy(to name: String) throws {
        for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path() + end) {
            try FileManager.default.copyItem(atPath: path() + end, toPath: path(name) + end)
        }
    }

    func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}

/// States to store, with a value in every field.
enum Samples {
    struct NoCredential: Error {}

    /// A credential's encoded form, its ID and age made from a number.
    static func credential(_ number: Int, name: String = "ada") async throws -> (id: [UInt8], encoded: [UInt8]) {
        guard case .map(var map) = try CBOR.decode(await template()) else { throw NoCredential() }
        let id = numberBytes(number) + [UInt8](repeating: 0xA5, count: 24)
        map[7] = .bytes(id)
        map[10] = PublicKeyCredentialUserEntity(id: numberBytes(number), name: name).cbor
        map[12] = .unsigned(UInt64(number))
        return (id, CBOR.encode(.map(map)))
    }

    private static func numberBytes(_ number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The credential that a device makes.
    private static func template() async throws -> [UInt8] {
        let bench = try StoreBench(profile: "security-key-complete", storage: nil)
        try await bench.register(
            user: 1, ["rk": true], extensions: ["credBlob": .bytes([1, 2]), "largeBlobKey": true])
        return try await bench.device.exportState().authenticator.credentials[0]
    }

    static func change(_ numbers: Range<Int> = 1..<4) async throws -> StorageChange {
        var change = StorageChange()
        change.settings = Array("settings of the device".utf8)
        change.globalCounter = .max
        for number in numbers {
            let (id, encoded) = try await credential(number)
            change.credentials[id] = EncodedCredential.reading(encoded)?.credential
        }
        change.sealedCounters = [[UInt8](repeating: 1, count: 32): 7, [UInt8](repeating: 2, count: 32): .max]
        change.largeBlobs = SerializedLargeBlobArray.serialize([0x81, 0x01])
        return change
    }
}

extension Samples {
    /// The number of commits at some moment.
    final class CommitCount: Sendable {
        private let count = Atomic(0)

        var value: Int { count.load(ordering: .relaxed) }

        func note(_ value: Int) { count.store(value, ordering: .relaxed) }
    }
}

extension StoredDevice {
    /// The same, without the credentials' order of reading.
    var unordered: StoredDevice {
        var copy = self
        copy.authenticator.credentials.sort { $0.lexicographicallyPrecedes($1) }
        return copy
    }

    /// The state after these changes, one after the other.
    static func after(_ changes: [StorageChange]) -> StoredDevice? {
        var kept: [[UInt8]: [UInt8]] = [:]
        let blobs = SerializedLargeBlobArray.initial
        var state = StoredAuthenticator(
            settings: [], globalCounter: 0, credentials: [], sealedCounters: [:], largeBlobs: blobs)
        var hasSettings = false
        for change in changes {
            if change.erasesEverything {
                kept = [:]
                (state.globalCounter, state.sealedCounters, state.largeBlobs) = (0, [:], blobs)
            }
            if let settings = change.settings { (state.settings, hasSettings) = (settings, true) }
            state.globalCounter = change.globalCounter ?? state.globalCounter
            state.largeBlobs = change.largeBlobs ?? state.largeBlobs
            state.sealedCounters.merge(change.sealedCounters) { $1 }
            for id in change.removedCredentials { kept[id] = nil }
            kept.merge(change.credentials.mapValues(\.bytes)) { $1 }
        }
        state.credentials = Array(kept.values)
        return hasSettings ? StoredDevice(authenticator: state).unordered : nil
    }
}

extension SecretChange {
    /// An item, its key and a life, with arbitrary contents.
    static func keeping(_ item: [UInt8], as id: SecretID) -> SecretChange {
        var change = SecretChange()
        change.items[id] = item
        change.keys[id] = [UInt8](repeating: 0x4B, count: 32)
        change.life = Array("life".utf8)
        return change
    }
}
