import DeviceStore
import Foundation
import GRDB
import SimulatedDevice
import Testing
import VirtualAuthenticator

@Suite struct SealingTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    @Test func aSealedFileShowsNoSecret() async throws {
        let change = try await Samples.change()
        let secrets = [
            try #require(change.settings), Array("ada".utf8), Array("the app's token".utf8), Workshop.passphrase,
        ]
        for (passphrase, isFound) in [(nil, true), (Workshop.passphrase, false)] as [([UInt8]?, Bool)] {
            let name = isFound ? "open.state" : "sealed.state"
            let store = try workshop.open(name, passphrase: passphrase)
            try store.commit(change)
            try store.commit(SecretChange.keeping(Array("the app's token".utf8), as: "token"))
            try store.close()
            let bytes = try workshop.bytes(name)
            for secret in secrets.dropLast() { #expect((bytes.firstRange(of: secret) != nil) == isFound) }
            #expect(bytes.firstRange(of: Workshop.passphrase) == nil)
        }
    }

    @Test func wrongPassphraseIsRefused() throws {
        try workshop.open("sealed.state", passphrase: Workshop.passphrase).close()
        try workshop.open("open.state").close()
        let (sealed, open) = (workshop.path("sealed.state"), workshop.path("open.state"))
        let before = try workshop.bytes("sealed.state")
        #expect(throws: DeviceStoreError.wrongPassphrase(path: sealed)) {
            try workshop.open("sealed.state", passphrase: [1])
        }
        #expect(throws: DeviceStoreError.passphraseNeeded(path: sealed)) { try workshop.open("sealed.state") }
        #expect(throws: DeviceStoreError.notSealed(path: open)) { try workshop.open("open.state", passphrase: [1]) }
        #expect(throws: DeviceStoreError.wrongPassphrase(path: sealed)) {
            try StoreReader(sealed).content(passphrase: [1])
        }
        #expect(try workshop.bytes("sealed.state") == before)
        try workshop.open("sealed.state", passphrase: Workshop.passphrase).close()
    }

    private func blobs(_ sql: String) throws -> [Data] {
        try DatabaseQueue(path: workshop.path()).read { db in try Data.fetchAll(db, sql: sql) }
    }

    @Test func everyWriteHasItsOwnNonce() async throws {
        let store = try workshop.open(passphrase: Workshop.passphrase)
        let change = try await Samples.change(1..<2)
        var seen: Set<Data> = []
        for _ in 0..<5 {
            try store.commit(change)
            let (content, settings) = (
                try blobs("SELECT content FROM credentials"), try blobs("SELECT settings FROM state")
            )
            for blob in content + settings { #expect(seen.insert(blob.prefix(12)).inserted) }
        }
        #expect(seen.count == 10)
    }

    @Test(arguments: [
        // A credential exchanged for another, lost contents, a truncated record, another name.
        "UPDATE credentials SET content = (SELECT max(content) FROM credentials)",
        "UPDATE credentials SET content = zeroblob(length(content))",
        "UPDATE state SET settings = substr(settings, 1, 27)", "UPDATE secrets SET name = 'other'",
        "UPDATE secrets SET app = 'other'", "UPDATE vault SET key = zeroblob(32)", "UPDATE state SET life = x'00'",
    ])
    func changedRecordIsDetected(sql: String) async throws {
        let store = try workshop.open(passphrase: Workshop.passphrase)
        try store.commit(try await Samples.change())
        try store.commit(SecretChange.keeping([1], as: "token"))
        try store.close()
        let queue = try DatabaseQueue(path: workshop.path())
        try await queue.write { db in try db.execute(sql: sql) }
        try queue.close()
        let again = try workshop.open(passphrase: Workshop.passphrase)
        #expect(
            throws: DeviceStoreError.corrupted(
                path: again.path, detail: "a record was changed after it was sealed")
        ) { try again.load() }
    }

    @Test func excessiveCostsAreRefused() async throws {
        try workshop.open(passphrase: Workshop.passphrase).close()
        let queue = try DatabaseQueue(path: workshop.path())
        try await queue.write { db in try db.execute(sql: "UPDATE meta SET scrypt_rounds = 1 << 40") }
        try queue.close()
        #expect(
            throws: DeviceStoreError.corrupted(path: workshop.path(), detail: "its metadata is missing")
        ) { try workshop.open(passphrase: Workshop.passphrase) }
    }
}
