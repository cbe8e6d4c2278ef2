import CTAP
import DeviceProfiles
import DeviceStore
import ProfileFiles
import SimulatedDevice
import Testing
import VirtualAuthenticator
import WebAuthn

/// A change that cannot be written is refused, and no confirmed change is lost later.
@Suite struct FullDiskTests {
    let workshop: Workshop
    let store: DeviceStore
    let storage: FailingStorage
    let bench: StoreBench

    init() throws {
        workshop = try Workshop()
        store = try workshop.open()
        storage = FailingStorage(store)
        bench = try StoreBench(storage: storage)
    }

    private func stored() throws -> StoredAuthenticator { try #require(try store.load()).authenticator }

    @Test func credentialThatCannotBeStoredIsRefused() async throws {
        try await bench.register(user: 1, ["rk": true])
        storage.isFull = true
        #expect(try await bench.status { try await bench.register(user: 2, ["rk": true]) } == .other)
        #expect(bench.lastReason == "storage.writeFailed")
        #expect(try stored().credentials.count == 1)
        // The device's changes in memory are written as soon as the disk has room.
        storage.isFull = false
        try await bench.signIn()
        #expect(try stored().credentials.count == 2)
    }

    @Test func aCounterIsNotUsedBeforeItIsReserved() async throws {
        try await bench.register(user: 1, ["rk": true])
        var seen: UInt32 = 0
        while try await bench.signIn().signCount < 33 {}
        storage.isFull = true
        // The reservation is used up.
        #expect(try await bench.status { try await bench.signIn() } == .other)
        #expect(try await bench.status { try await bench.signIn() } == .other)
        storage.isFull = false
        seen = try await bench.signIn().signCount
        #expect(try stored().globalCounter >= seen)
    }

    @Test func aPINIsNotComparedBeforeTheRetryIsTaken() async throws {
        try await bench.pins.setPIN(StoreBench.pin)
        storage.isFull = true
        #expect(try await bench.mistypePIN() == .other)
        #expect(try await bench.status { _ = try await bench.token(.makeCredential) } == .other)
        let compared = bench.device.log.all.contains { if case .pinChecked = $0.kind { true } else { false } }
        #expect(!compared)
        storage.isFull = false
        #expect(try await bench.mistypePIN() == .pinInvalid)
        // One retry was used without an answer and is not restored; it was written before any other answer.
        let back = try StoreBench(storage: nil, stored: try store.load())
        #expect(try await back.pins.pinRetries().retries == 6)
    }

    @Test func theRetryIsOnTheDiskBeforeThePINIsCompared() async throws {
        let recording = RecordingStorage()
        let profile = try Workshop.profiles.profile("security-key-complete")
        let log = EventLog()
        let atComparison = Samples.CommitCount()
        let device = VirtualAuthenticator(
            configuration: profile.authenticator,
            environment: Environment(
                time: SimulatedClock(), random: SeededRandomSource(seed: 1), user: ConsentingUser(),
                storage: recording,
                record: { event in
                    log.append(event)
                    if case .pinChecked = event.kind { atComparison.note(recording.all.count) }
                }), gate: profile.gate)
        let pins = PINClient(
            AuthenticatorClient(device), protocol: .two, randomBytes: SystemRandomSource().bytes)
        try await pins.setPIN(StoreBench.pin)
        let before = recording.all.count
        await #expect(throws: AuthenticatorClient.Failure.self) {
            try await pins.token(pin: "000000", permissions: nil)
        }
        #expect(atComparison.value == before + 1)
    }

    @Test func failedResetIsWrittenWithTheNextChange() async throws {
        try await bench.register(user: 1, ["rk": true])
        await bench.device.authenticator.powerCycle()
        storage.isFull = true
        #expect(try await bench.status { try await bench.client.reset() } == .other)
        #expect(try stored().credentials.count == 1)
        storage.isFull = false
        try await bench.register(user: 2, ["rk": true])
        #expect(try stored().credentials.count == 1)
        let users = try stored().credentials.compactMap { StoredCredential(encoded: $0)?.user.id }
        #expect(users == [[2]])
    }

    @Test func secretThatCannotBeStoredDoesNotExist() async throws {
        try await bench.device.enrol("thumb")
        try await bench.device.secureStorage.store([1], as: "first", protection: .init(.anyBiometry))
        storage.isFull = true
        await #expect(throws: FailingStorage.DiskFull.self) {
            try await bench.device.secureStorage.store([2], as: "second", protection: .init(.anyBiometry))
        }
        #expect(throws: FailingStorage.DiskFull.self) { try bench.device.secureStorage.remove("first") }
        #expect(bench.device.secureStorage.ids.map(\.description) == ["first"])
    }
}
