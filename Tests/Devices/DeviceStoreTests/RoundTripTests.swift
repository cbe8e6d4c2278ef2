import CBOR
import COSE
import CTAP
import DeviceStore
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite struct RoundTripTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    @Test(arguments: [nil, Workshop.passphrase])
    func everyFieldIsRestored(passphrase: [UInt8]?) async throws {
        let change = try await Samples.change()
        let store = try workshop.open(passphrase: passphrase)
        #expect(try store.load() == nil)
        #expect(store.isSealed == (passphrase != nil))
        try store.commit(change)
        var secrets = SecretChange()
        let mail = SecretID("token", app: "mail")
        secrets.items = ["token": [1, 2, 3], "empty me": [4], mail: [5]]
        secrets.keys = ["token": [6], "empty me": [7], mail: [8]]
        secrets.life = [9, 9]
        try store.commit(secrets)
        var removal = SecretChange()
        removal.removedItems = ["empty me"]
        removal.destroyedKeys = ["empty me", mail]
        try store.commit(removal)
        try store.close()

        let again = try workshop.open(passphrase: passphrase)
        var expected = try #require(StoredDevice.after([change]))
        expected.secrets = ["token": [1, 2, 3], mail: [5]]
        expected.vault = ["token": [6]]
        expected.life = [9, 9]
        #expect(try again.load()?.unordered == expected)
        #expect(again.identity == (try Workshop.identity()))
        #expect(again.createdAt == .seconds(1_767_225_600))
        #expect(again.isSealed == (passphrase != nil))
    }

    @Test func changesReplaceRemoveAndErase() async throws {
        let first = try await Samples.change(1..<6)
        var second = StorageChange()
        let (replaced, encoded) = try await Samples.credential(2, name: "grace")
        second.credentials[replaced] = EncodedCredential.reading(encoded)?.credential
        second.removedCredentials = [try await Samples.credential(3).id, [9, 9]]
        second.sealedCounters = [[UInt8](repeating: 1, count: 32): 8]
        second.globalCounter = 5
        var third = StorageChange()
        third.erasesEverything = true
        third.settings = [7]
        third.credentials = second.credentials

        let store = try workshop.open()
        for (index, change) in [first, second, third].enumerated() {
            try store.commit(change)
            #expect(try store.load()?.unordered == StoredDevice.after(Array([first, second, third].prefix(index + 1))))
        }
    }

    @Test func failedChangeIsNotWritten() async throws {
        let store = try workshop.open()
        let change = try await Samples.change()
        try store.commit(change)
        var broken = StorageChange()
        broken.settings = [1]
        broken.globalCounter = 1
        broken.credentials = [[1]: EncodedCredential(relyingPartyIDHash: [], bytes: Array("no credential".utf8))]
        #expect(throws: DeviceStoreError.self) { try store.commit(broken) }
        #expect(try store.load()?.unordered == StoredDevice.after([change]))
    }

    static let algorithms: [COSE.Algorithm] = [.es256, .edDSA, .es384, .rs256]

    @Test func deviceIsRestored() async throws {
        let store = try workshop.open(passphrase: Workshop.passphrase)
        let bench = try StoreBench(storage: store)
        for (index, algorithm) in Self.algorithms.enumerated() {
            try await bench.register(
                user: UInt8(index), ["rk": true], algorithm: algorithm,
                extensions: ["credBlob": .bytes([1, 2]), "largeBlobKey": true, "credProtect": 2])
        }
        let sealed = try #require(try await bench.register(user: 9).attestedCredentialData).credentialID
        try await bench.signIn(sealed)
        try await bench.pins.setPIN(StoreBench.pin)
        #expect(try await bench.mistypePIN() == .pinInvalid)
        try await bench.device.enrol("thumb")
        await bench.device.authenticator.powerCycle()
        try await bench.device.authenticator.flush()
        let before = try await bench.device.exportState()
        let info = await bench.device.authenticator.info()
        try store.close()

        let reopened = try workshop.open(passphrase: Workshop.passphrase)
        let stored = try #require(try reopened.load())
        let back = try StoreBench(storage: reopened, stored: stored, seed: 2)
        #expect(try await back.device.exportState() == before)
        #expect(try await back.pins.pinRetries().retries == 7)
        // The members of getInfo that do not change with every answer are equal, too.
        let after = await back.device.authenticator.info()
        #expect(after.options == info.options)
        #expect(after.remainingDiscoverableCredentials == info.remainingDiscoverableCredentials)
        let counts = try await back.signIn(sealed).signCount
        #expect(counts == before.authenticator.globalCounter + 1)
    }

    @Test func accountsKeepTheirOrderOfCreation() async throws {
        let store = try workshop.open()
        let bench = try StoreBench(storage: store)
        for user in UInt8(1)...20 { try await bench.register(user: user, ["rk": true]) }
        let stored = try #require(try store.load())
        let shuffled = StoredDevice(
            authenticator: StoredAuthenticator(
                settings: stored.authenticator.settings, globalCounter: 40,
                credentials: stored.authenticator.credentials.reversed(), sealedCounters: [:],
                largeBlobs: stored.authenticator.largeBlobs))
        let back = try StoreBench(storage: nil, stored: shuffled)
        let users = await back.device.authenticator.snapshot().credentials.map(\.user.id)
        #expect(users == (UInt8(1)...20).map { [$0] })
        let first = try await back.client.getAssertion(
            GetAssertionRequest(relyingPartyID: StoreBench.relyingPartyID, clientDataHash: StoreBench.hash))
        #expect(first.user?.id == [20])
    }

    @Test func appSecretsKeepTheirBinding() async throws {
        let store = try workshop.open(profile: "iphone-face-id")
        let bench = try StoreBench(profile: "iphone-face-id", storage: store)
        try await bench.device.secureStorage.store([1], as: "current", protection: .init(.currentSet))
        try await bench.device.secureStorage.store([2], as: "any", protection: .init(.anyBiometry))
        try await bench.device.secureStorage.store([3], as: "gone", protection: .init(.anyBiometry))
        try bench.device.secureStorage.remove("gone")
        try await bench.device.authenticator.flush()
        try store.close()

        let reopened = try workshop.open(profile: "iphone-face-id")
        let stored = try #require(try reopened.load())
        let back = try StoreBench(profile: "iphone-face-id", storage: reopened, stored: stored)
        #expect(back.device.secureStorage.ids.map(\.description) == ["any", "current"])
        #expect(await back.device.secureStorage.read("current") == .success([1]))
        try await back.device.enrol("stranger")
        #expect(await back.device.secureStorage.read("current") == .failure(.keyInvalidated))
        #expect(await back.device.secureStorage.read("any") == .success([2]))
        #expect(try reopened.load()?.secrets.keys.sorted() == ["any"])
    }

    @Test func hundredThousandCredentialsLoadInSeconds() async throws {
        let (id, encoded) = try await Samples.credential(1)
        let text = try #require(encoded.firstRange(of: id))
        var content = try #require(StoredDevice.after([try await Samples.change(1..<2)]))
        content.authenticator.credentials = (0..<100_000).map { number in
            var copy = encoded
            withUnsafeBytes(of: number.littleEndian) { copy.replaceSubrange(text.prefix(8), with: $0) }
            return copy
        }
        try DeviceStore.writeSnapshot(
            content, to: workshop.path(), for: Workshop.identity(), createdAt: .seconds(1_767_225_600))
        let started = ContinuousClock.now
        let store = try workshop.open()
        #expect(try store.load()?.authenticator.credentials.count == 100_000)
        // Three seconds in a debug build on a slow machine; a look-up in linear time would take minutes.
        #expect(ContinuousClock.now - started < .seconds(30))
    }
}
