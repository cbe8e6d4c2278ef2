import CTAP
import DeviceStore
import SimulatedDevice
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite struct SnapshotTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func takeSnapshot(_ bench: StoreBench, to name: String, like store: DeviceStore? = nil) async throws {
        try DeviceStore.writeSnapshot(
            try await bench.device.exportState(), to: workshop.path(name), for: DeviceIdentity(bench.device.profile),
            createdAt: .seconds(1), sealedLike: store)
    }

    @Test func snapshotHoldsTheDevicesState() async throws {
        let store = try workshop.open()
        let bench = try StoreBench(storage: store)
        try await bench.register(user: 1, ["rk": true])
        let moment = try await bench.device.exportState()
        try await takeSnapshot(bench, to: "snapshot.state")
        try await bench.register(user: 2, ["rk": true])
        #expect(try StoreReader(workshop.path("snapshot.state")).content() == moment)
        #expect(try workshop.mode(workshop.path("snapshot.state")) == 0o600)
        // It replaces no file, not even its own.
        await #expect(throws: DeviceStoreError.exists(path: workshop.path("snapshot.state"))) {
            try await takeSnapshot(bench, to: "snapshot.state")
        }
        #expect(try StoreReader(workshop.path("snapshot.state")).content() == moment)
    }

    @Test func snapshotOfASealedDeviceHasItsPassphrase() async throws {
        let store = try workshop.open(passphrase: Workshop.passphrase)
        let bench = try StoreBench(storage: store)
        try await bench.register(user: 1, ["rk": true])
        try await takeSnapshot(bench, to: "snapshot.state", like: store)
        let reader = try StoreReader(workshop.path("snapshot.state"))
        #expect(reader.summary.isSealed)
        #expect(throws: DeviceStoreError.passphraseNeeded(path: workshop.path("snapshot.state"))) {
            try reader.content()
        }
        #expect(try reader.content(passphrase: Workshop.passphrase) != nil)
        #expect(try reader.content(sealedLike: store) != nil)
        let stranger = try workshop.open("other.state", passphrase: [1])
        #expect(throws: DeviceStoreError.wrongPassphrase(path: workshop.path("snapshot.state"))) {
            try reader.content(sealedLike: stranger)
        }
    }

    @Test func restoredStateIsStored() async throws {
        let store = try workshop.open(profile: "iphone-face-id")
        let bench = try StoreBench(profile: "iphone-face-id", storage: store)
        try await bench.device.secureStorage.store([1], as: "token", protection: .init(.currentSet))
        try await bench.register(user: 1, ["uv": true])
        let moment = try await bench.device.exportState()
        try await bench.register(user: 2, ["uv": true])
        try await bench.device.enrol("stranger")
        try bench.device.secureStorage.remove("token")
        try await bench.device.secureStorage.store([2], as: "other", protection: .init(.currentSet))

        try await bench.device.restore(moment)
        #expect(try await bench.device.exportState() == moment)
        #expect(await bench.device.secureStorage.read("token") == .success([1]))
        try store.close()
        #expect(try workshop.open(profile: "iphone-face-id").load()?.unordered == moment.unordered)
    }

    @Test func restoringIsOneWrite() async throws {
        let recording = RecordingStorage()
        var configuration = AuthenticatorConfiguration()
        configuration.supportsClientPIN = true
        let device = VirtualAuthenticator(
            configuration: configuration,
            environment: Environment(
                time: SimulatedClock(), random: SeededRandomSource(seed: 1), user: ConsentingUser(),
                storage: recording))
        try await device.flush()
        let state = try await device.exportState()
        let before = recording.all.count
        try await device.restore(state)
        #expect(recording.all.count == before + 1)
        #expect(recording.all.last?.erasesEverything == true)
        #expect(recording.all.last?.settings != nil)
    }

    @Test func unreadableStateChangesNothing() async throws {
        let store = try workshop.open()
        let bench = try StoreBench(storage: store)
        try await bench.register(user: 1, ["rk": true])
        let before = try await bench.device.exportState()
        var broken = before
        broken.authenticator.settings = [0x7B]
        await #expect(throws: StoredAuthenticatorError.self) { try await bench.device.restore(broken) }
        broken = before
        broken.authenticator.credentials.append([1, 2])
        await #expect(throws: StoredAuthenticatorError.unreadableCredential(number: 2)) {
            try await bench.device.restore(broken)
        }
        broken = before
        broken.secrets = ["token": [1]]
        await #expect(throws: DecodingError.self) { try await bench.device.restore(broken) }
        #expect(try await bench.device.exportState() == before)
    }

    @Test func cloneRepeatsACounter() async throws {
        let store = try workshop.open()
        let bench = try StoreBench(storage: store)
        let id = try #require(try await bench.register(user: 1).attestedCredentialData).credentialID
        try await takeSnapshot(bench, to: "clone.state")
        let clones = try workshop.open("clone.state")
        let clone = try StoreBench(storage: clones, stored: try clones.load(), seed: 2)
        let (first, second) = (try await bench.signIn(id).signCount, try await clone.signIn(id).signCount)
        #expect(first == second)
        #expect(try await clone.signIn(id).signCount == first + 1)
    }

    @Test func crashSkipsCounterValuesAndShutdownDoesNot() async throws {
        let store = try workshop.open()
        let bench = try StoreBench(storage: store)
        let id = try #require(try await bench.register(user: 1).attestedCredentialData).credentialID
        let last = try await bench.signIn(id).signCount
        try workshop.copy(to: "crashed.state")
        try await bench.device.authenticator.flush()
        try workshop.copy(to: "ended.state")
        for (name, gap) in [("crashed.state", 2...33), ("ended.state", 1...1)] as [(String, ClosedRange<UInt32>)] {
            let copy = try workshop.open(name)
            let back = try StoreBench(storage: copy, stored: try copy.load(), seed: 2)
            #expect(gap.contains(try await back.signIn(id).signCount - last), "\(name)")
        }
    }

    @Test func summaryContainsNoSecret() async throws {
        let store = try workshop.open(passphrase: Workshop.passphrase)
        let bench = try StoreBench(storage: store)
        for user in UInt8(1)...3 {
            try await bench.register(user: user, ["rk": true], relyingPartyID: user == 3 ? "other.org" : "example.com")
        }
        try store.commit(SecretChange.keeping([1], as: "token"))
        let summary = try StoreReader(workshop.path()).summary
        #expect(summary.identity == DeviceIdentity(bench.device.profile))
        #expect(summary.isSealed)
        #expect(summary.holdsState)
        #expect((3...35).contains(summary.globalCounter))
        #expect((summary.credentialCount, summary.relyingPartyCount) == (3, 2))
        #expect(summary.secretNames == ["token"])
        #expect(!"\(summary)".contains("example.com"))
    }
}
