import Biometrics
import CBOR
import COSE
import CTAP
import Synchronization
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Persistent state")
struct StorageTests {
    static let writeFailed = "storage.writeFailed"

    /// The device's exported state; the stored counter may be ahead of it.
    static func agree(_ life: Life, _ act: Life.Act) async throws {
        var device = try await life.bench.device.exportState()
        let stored = try #require(life.storage.stored)
        #expect(stored.globalCounter >= device.globalCounter, "\(act)")
        #expect(stored.globalCounter <= device.globalCounter + 32, "\(act)")
        device.globalCounter = stored.globalCounter
        #expect(stored.sorted == device.sorted, "\(act)")
    }

    // MARK: Committing

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64], [AuthenticatorConfiguration.CounterMode.global, .perCredential])
    func storageMatchesTheDeviceAfterEveryCommand(
        seed: UInt64, counterMode: AuthenticatorConfiguration.CounterMode
    ) async throws {
        var random = SeededGenerator(seed: seed)
        var life = try await Life { $0.counterMode = counterMode }
        var highest: UInt32 = 0
        var highestOf: [[UInt8]: UInt32] = [:]
        // Each act once in a random order, then random acts.
        var acts = Life.Act.allCases.filter { $0 != .reset }.shuffled(using: &random)
        acts += (0..<40).map { _ in Life.Act.allCases.randomElement(using: &random) ?? .getInfo }
        for act in acts {
            let mark = life.bench.log.counters.count
            try await life.act(act, &random)
            try await Self.agree(life, act)
            if counterMode == .global {
                for value in life.bench.log.counters.dropFirst(mark) {
                    #expect(value > highest)
                    highest = value
                }
            }
            if random.next() % 3 == 0 { try life.dieAndComeBack() }
            // Every credential signs with the key it was made with.
            guard let credential = await life.bench.device.snapshot().credentials.randomElement(using: &random),
                let key = life.keys[credential.id], await life.bench.option("alwaysUv") == false
            else { continue }
            let got = try await life.bench.get { $0.allowList = [credential.descriptor] }.got()
            #expect(key.verify(got.response.signature, over: got.response.authenticatorData + Bench.hash))
            let count = try got.data().signCount
            #expect(count > (counterMode == .global ? highest : highestOf[credential.id] ?? 0))
            highest = max(highest, count)
            highestOf[credential.id] = count
        }
    }

    @Test func aCommandWritesItsChangesBeforeItsAnswer() async throws {
        var random = SeededGenerator(seed: 9)
        var life = try await Life()
        _ = await life.bench.send(.getInfo)
        let log = life.bench.log
        func answers() -> Int {
            log.all.count { if case .answer = $0.kind { true } else { false } }
        }
        let atCommit = Mutex<[Int]>([])
        life.storage.whenCommitting {
            let count = log.all.count { if case .answer = $0.kind { true } else { false } }
            atCommit.withLock { $0.append(count) }
        }
        for act in [Life.Act.makeDiscoverable, .writeBlobs, .enableEnterprise, .makeSealed, .reset] {
            atCommit.withLock { $0 = [] }
            let before = answers()
            try await life.act(act, &random)
            let commits = atCommit.withLock { $0 }
            #expect(answers() == before + 1, "\(act)")
            // A sealed credential moves only the counter, which storage reserves in advance.
            #expect(act == .makeSealed || !commits.isEmpty, "\(act)")
            #expect(commits.allSatisfy { $0 == before }, "\(act)")
        }
    }

    @Test func aRefusedCommandWritesItsChanges() async throws {
        let storage = ModelStorage()
        let bench = try await Bench.complete(pin: true, fingers: [[1]], storage: storage)
        #expect(try await bench.wrongPIN() == PINRetryTests.mismatch)
        bench.person.willDo([.nonMatch])
        #expect(await bench.get { $0.options["uv"] = true }.told.status == .puatRequired)
        let back = try bench.restarted(from: try #require(storage.stored))
        #expect(await back.device.snapshot().pinRetries == 7)
        #expect(try await back.pins().uvRetries() == 2)
    }

    @Test func aCommandWithoutChangesWritesNothing() async throws {
        let storage = ModelStorage()
        let bench = try await Bench.complete(storage: storage)
        _ = try await bench.discoverable(1)
        let count = storage.changes.count
        for _ in 0..<20 { _ = await bench.get() }
        _ = await bench.send(.getInfo)
        _ = await bench.send(.selection)
        _ = await bench.get { $0.relyingPartyID = "other.example" }
        // Twenty signatures stay within the counter's reserve.
        #expect(storage.changes.count == count)
        for _ in 0..<20 { _ = await bench.get() }
        #expect(storage.changes.count == count + 1)
        #expect(storage.changes.last?.credentials.isEmpty == true)
    }

    @Test func anOrderlyShutdownReleasesTheCounterReserve() async throws {
        let storage = ModelStorage()
        let bench = try await Bench.complete(storage: storage)
        let made = try await bench.discoverable(1)
        #expect(try made.data().signCount == 1)
        try await bench.device.flush()
        #expect(storage.stored?.globalCounter == 1)
        let back = try bench.restarted(from: try #require(storage.stored))
        #expect(try await back.get().got().data().signCount == 2)
        // Without a shutdown it skips the values that it may have used.
        let killed = try back.restarted(from: try #require(storage.stored))
        #expect(try await killed.get().got().data().signCount > 2)
    }

    @Test func aRestoredDeviceNamesTheNewestAccountFirst() async throws {
        let storage = ModelStorage()
        let bench = try await Bench.complete(storage: storage)
        for user: UInt8 in 1...12 { _ = try await bench.discoverable(user) }
        // Storage keeps credentials in no order.
        let back = try bench.restarted(from: try #require(storage.stored))
        var users = [try await back.get().got().response.user?.id]
        for _ in 1..<12 { users.append(try await back.next().got().response.user?.id) }
        #expect(users == (1...12).reversed().map { [$0] })
        _ = try await back.discoverable(13)
        #expect(try await back.get().got().response.user?.id == [13])
    }

    // MARK: Failing

    @Test func aFailedWriteRefusesTheCommand() async throws {
        let storage = ModelStorage()
        let bench = try await Bench.complete(pin: true, storage: storage)
        let token = try await bench.token(for: [.authenticatorConfiguration, .largeBlobWrite])
        storage.isBroken = true
        let failed = Told(.other, Self.writeFailed)
        #expect(await bench.manage(AuthenticatorConfigRequest.of(.enableEnterpriseAttestation), token).told == failed)
        let array = LargeBlobTests.array(200)
        #expect(await bench.manage(LargeBlobsRequest(set: array, offset: 0, length: 200), token).told == failed)
        #expect(await bench.send(.reset).told == failed)
        storage.isBroken = false
        #expect(await bench.send(.getInfo).told == .ok)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func aFailedWriteIsRepeatedWithTheNextChange(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var life = try await Life()
        var highest: UInt32 = 0
        for act in Life.Act.allCases.shuffled(using: &random) + Life.Act.allCases.shuffled(using: &random) {
            life.storage.isBroken = random.next() % 3 == 0
            try await life.act(act, &random)
            for value in life.bench.log.counters { highest = max(highest, value) }
            guard life.storage.isBroken else { continue }
            life.storage.isBroken = false
            _ = await life.bench.send(.getInfo)
            try await Self.agree(life, act)
        }
        try life.dieAndComeBack()
        #expect(try await life.bench.device.exportState().globalCounter >= highest)
    }

    // MARK: Snapshots

    @Test func aCloneHasTheSameCredentialsAndTheSamePIN() async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1]])
        let kept = try await bench.discoverable(
            1, ["hmac-secret": true, "credBlob": .bytes([5]), "largeBlobKey": true])
        let sealed = try await bench.make { $0.extensions = ["credProtect": 2] }.made()
        let array = LargeBlobTests.array(300)
        let write = LargeBlobsRequest(set: array, offset: 0, length: 300)
        #expect(try await bench.manage(write, with: .largeBlobWrite).told == .ok)
        let persistent = try await PersistentTokenTests.token(bench)
        let secrets = try await HMACSecretTests.secrets(bench, kept, [HMACSecretTests.one])

        let state = try await bench.device.exportState()
        let clone = try await Bench.complete()
        _ = try await clone.discoverable(7, at: "gone.example")
        try await clone.device.restore(state)
        #expect(try await clone.device.exportState().sorted == state.sorted)
        for made in [kept, sealed] {
            let key = try COSE.PublicKey(cbor: made.attested().credentialPublicKey)
            let got = try await clone.get { $0.allowList = [try made.descriptor()] }.got().response
            #expect(key.verify(got.signature, over: got.authenticatorData + Bench.hash))
        }
        #expect(await clone.get { $0.relyingPartyID = "gone.example" }.told.status == .noCredentials)
        #expect(try await clone.token(permissions: .getAssertion).bytes.count == 32)
        #expect(await clone.manage(CredentialManagementRequest.of(.getCredsMetadata), persistent).told == .ok)
        #expect(try await HMACSecretTests.secrets(clone, kept, [HMACSecretTests.one]) == secrets)
        #expect(try await LargeBlobTests.stored(clone) == array)
        let got = try await clone.get { $0.extensions = ["credBlob": true, "largeBlobKey": true] }.got()
        #expect(got.response.largeBlobKey == kept.response.largeBlobKey)
        #expect(try got.data().extensions?["credBlob"] == .bytes([5]))
        #expect(await clone.option("uv") == true)
    }

    @Test func restoringWritesOneChange() async throws {
        let source = try await Bench.complete(pin: true)
        _ = try await source.discoverable(1)
        let state = try await source.device.exportState()
        let storage = ModelStorage()
        let bench = try await Bench.complete(storage: storage)
        _ = try await bench.discoverable(2)
        let count = storage.changes.count
        try await bench.device.restore(state)
        let first = try #require(storage.changes.dropFirst(count).first)
        #expect(first.erasesEverything)
        #expect(first.credentials.count == 1)
        #expect(storage.stored?.credentials == state.credentials)
        let back = try bench.restarted(from: try #require(storage.stored))
        #expect(await back.option("clientPin") == true)
        #expect(try await back.get().got().response.user?.id == [1])
    }

    @Test func anUnreadableStateChangesNothing() async throws {
        let bench = try await Bench.complete(pin: true)
        _ = try await bench.discoverable(1)
        let state = try await bench.device.exportState()
        var noSettings = state
        noSettings.settings = Array("{}".utf8)
        var noCredential = state
        noCredential.credentials.append([0xA0])
        await #expect(throws: StoredAuthenticatorError.self) { try await bench.device.restore(noSettings) }
        await #expect(throws: StoredAuthenticatorError.unreadableCredential(number: 2)) {
            try await bench.device.restore(noCredential)
        }
        #expect(try await bench.device.exportState() == state)
        #expect(throws: StoredAuthenticatorError.unreadableCredential(number: 2)) {
            try bench.restarted(from: noCredential)
        }
    }
}
