import DeviceStore
import Foundation
import GRDB
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

/// Files that are foreign, damaged, locked or inaccessible.
@Suite struct FileTests {
    let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: workshop.path())
        try queue.write { db in try db.execute(sql: sql) }
        try queue.close()
    }

    @Test func onlyTheOwnerCanReadIt() async throws {
        let path = workshop.path("of/its/own/device.state")
        let store = try workshop.open("of/its/own/device.state")
        try store.commit(try await Samples.change())
        for end in ["", "-wal", "-shm", "-lock"] { #expect(try workshop.mode(path + end) == 0o600) }
        #expect(try workshop.mode(workshop.path("of")) == 0o700)
        #expect(try workshop.mode(workshop.path("of/its/own")) == 0o700)
        try store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path("of/its/own")) == ["device.state"])

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try workshop.open("of/its/own/device.state").close()
        #expect(try workshop.mode(path) == 0o600)
    }

    @Test func foreignFileIsRefusedAndUnchanged() throws {
        let database = try DatabaseQueue(path: workshop.path("other.sqlite"))
        try database.write { db in try db.execute(sql: "CREATE TABLE notes (text TEXT)") }
        try database.close()
        try workshop.write(Array("A letter.\n".utf8), to: "letter.txt")
        try workshop.write([UInt8](repeating: 0, count: 4096), to: "zeros")
        for name in ["other.sqlite", "letter.txt", "zeros"] {
            let before = try workshop.bytes(name)
            #expect(throws: DeviceStoreError.notAStore(path: workshop.path(name))) { try workshop.open(name) }
            #expect(throws: DeviceStoreError.notAStore(path: workshop.path(name))) {
                try StoreReader(workshop.path(name))
            }
            #expect(throws: DeviceStoreError.notAStore(path: workshop.path(name))) {
                try snapshot(to: name)
            }
            #expect(try workshop.bytes(name) == before)
        }
        #expect(throws: DeviceStoreError.self) { try workshop.open("letter.txt/device.state") }
        #expect(throws: DeviceStoreError.self) { try DeviceStore.open(at: workshop.directory.path) }
        #expect(throws: DeviceStoreError.missing(path: workshop.path())) { try StoreReader(workshop.path()) }
        #expect(throws: DeviceStoreError.missing(path: workshop.path())) { try DeviceStore.open(at: workshop.path()) }
    }

    @Test func pipeIsRefusedWithoutWaiting() throws {
        let path = workshop.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: DeviceStoreError.notAStore(path: path)) { try workshop.open("pipe") }
        #expect(throws: DeviceStoreError.notAStore(path: path)) { try StoreReader(path) }
        #expect(throws: DeviceStoreError.notAStore(path: path)) { try snapshot(to: "pipe") }
        let kind = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        #expect(kind != .typeRegular)
    }

    private func snapshot(to name: String) throws {
        try DeviceStore.writeSnapshot(
            StoredDevice(
                authenticator: StoredAuthenticator(
                    settings: [1], globalCounter: 0, credentials: [], sealedCounters: [:], largeBlobs: [])),
            to: workshop.path(name), for: Workshop.identity(), createdAt: .zero)
    }

    @Test func emptyFileIsReplaced() throws {
        try workshop.write([])
        try workshop.open().close()
        try workshop.open().close()
    }

    @Test func stateOfAnotherDeviceIsRefused() throws {
        try workshop.open(profile: "security-key-pin").close()
        let (pin, complete) = (try Workshop.identity("security-key-pin"), try Workshop.identity())
        #expect(
            throws: DeviceStoreError.otherDevice(path: workshop.path(), expected: complete, found: pin)
        ) { try workshop.open() }
        var other = pin
        other.aaguid[0] ^= 1
        #expect(throws: DeviceStoreError.otherDevice(path: workshop.path(), expected: other, found: pin)) {
            try DeviceStore.open(at: workshop.path(), for: other)
        }
        // A profile may change, as a firmware does.
        var updated = pin
        updated.profileText += "\n# more room"
        try DeviceStore.open(at: workshop.path(), for: updated).close()
    }

    @Test func fileOfALaterVersionIsRefused() throws {
        try workshop.open().close()
        try change("INSERT INTO grdb_migrations VALUES ('2 something new')")
        #expect(throws: DeviceStoreError.newerVersion(path: workshop.path())) { try workshop.open() }
        #expect(throws: DeviceStoreError.newerVersion(path: workshop.path())) { try StoreReader(workshop.path()) }
    }

    @Test(arguments: [
        "DROP TABLE meta", "DELETE FROM meta", "DROP TABLE state", "DELETE FROM state", "DROP TABLE credentials",
        "DROP TABLE secrets",
        "DROP TABLE meta; CREATE TABLE meta (aaguid, created_at); INSERT INTO meta VALUES (1, 'yesterday')",
    ])
    func aFileWithoutItsTablesIsDamaged(sql: String) throws {
        let store = try workshop.open()
        var settings = StorageChange()
        settings.settings = [1]
        try store.commit(settings)
        try store.close()
        try change(sql)
        #expect {
            _ = try workshop.open().load()
        } throws: { error in
            if case DeviceStoreError.corrupted = error { true } else { false }
        }
    }

    @Test func aRefusedFileKeepsItsMode() throws {
        try workshop.open().close()
        try change("CREATE TABLE more (x)")
        #expect(chmod(workshop.path(), 0o644) == 0)
        #expect(throws: DeviceStoreError.self) { try workshop.open() }
        let attributes = try FileManager.default.attributesOfItem(atPath: workshop.path())
        #expect(attributes[.posixPermissions] as? Int == 0o644)
    }

    private static let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"

    @Test(
        "A file with other tables, views or triggers is damaged, and runs none of its author's code",
        .timeLimit(.minutes(30)),
        arguments: [
            "DROP TABLE credentials; CREATE VIEW credentials AS SELECT x AS id, x AS rp_id_hash, x AS content FROM (\(endless))",
            "DROP TABLE state; CREATE VIEW state AS SELECT x AS settings, x AS global_counter, x AS life FROM (\(endless))",
            "ALTER TABLE grdb_migrations RENAME TO m; CREATE VIEW grdb_migrations AS SELECT x AS identifier FROM (\(endless))",
            "CREATE TRIGGER trap AFTER UPDATE ON state BEGIN DELETE FROM secrets WHERE name IN (\(endless)); END",
            "CREATE TRIGGER trap AFTER INSERT ON credentials BEGIN DELETE FROM credentials; END",
            "CREATE TABLE more (x)", "CREATE INDEX more ON credentials(content)",
            "ALTER TABLE state ADD COLUMN x GENERATED ALWAYS AS ((SELECT count(*) FROM (\(endless)))) VIRTUAL",
        ])
    func hostileSchema(sql: String) throws {
        try workshop.open().close()
        // Some of these are refused by SQLite itself.
        guard (try? change(sql)) != nil else { return }
        let damaged = DeviceStoreError.corrupted(
            path: workshop.path(), detail: "its tables are not those of a state file")
        #expect(throws: damaged) { try workshop.open() }
        #expect(throws: damaged) { try StoreReader(workshop.path()) }
    }

    @Test func damageIsDetectedOrHarmless() async throws {
        let store = try workshop.open(passphrase: Workshop.passphrase)
        try store.commit(try await Samples.change(1..<40))
        try store.close()
        let whole = try workshop.bytes()
        let content = try #require(StoredDevice.after([try await Samples.change(1..<40)]))
        var random = SeededGenerator(seed: 3)
        var found = 0
        for round in 0..<150 {
            var bytes = whole
            if round.isMultiple(of: 3) {
                bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            } else {
                let start = Int.random(in: bytes.indices, using: &random)
                for index in start..<min(start + 64, bytes.count) { bytes[index] = random.bytes(1)[0] }
            }
            try workshop.write(bytes)
            do {
                let damaged = try workshop.open(passphrase: Workshop.passphrase)
                // If the file opens, its sealed contents are unchanged: the seals cover every remaining credential.
                let left = try damaged.load()?.authenticator.credentials ?? []
                #expect(Set(left).isSubset(of: content.authenticator.credentials))
                try damaged.close()
            } catch is DeviceStoreError {
                found += 1
            }
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: workshop.path() + end) }
        }
        #expect(found > 50)
    }

    @Test func truncatedLogHoldsTheCommitsBeforeTheCut() async throws {
        let store = try workshop.open()
        var changes = [try await Samples.change(1..<2)]
        for number in 2..<12 { changes.append(try await Samples.change(number..<number + 1)) }
        for change in changes { try store.commit(change) }
        let prefixes = Set((0...changes.count).map { StoredDevice.after(Array(changes.prefix($0))) })
        try workshop.copy(to: "copy.state")
        let (file, log) = (try workshop.bytes("copy.state"), try workshop.bytes("copy.state-wal"))
        var lengths: Set<Int> = []
        for cut in stride(from: 0, through: log.count, by: 997) + [log.count] {
            try workshop.write(file, to: "cut.state")
            try workshop.write(Array(log.prefix(cut)), to: "cut.state-wal")
            let cutStore = try workshop.open("cut.state")
            let state = try cutStore.load()?.unordered
            #expect(prefixes.contains(state))
            lengths.insert(state?.authenticator.credentials.count ?? 0)
            try cutStore.close()
        }
        #expect(lengths == Set(0...changes.count))
    }

    @Test func twoDevicesCannotRunOnOneFile() throws {
        let store = try workshop.open()
        let inUse = DeviceStoreError.inUse(
            path: workshop.path(), processID: ProcessInfo.processInfo.processIdentifier)
        #expect(throws: inUse) { try workshop.open() }
        let link = workshop.path("link.state")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: workshop.path())
        #expect(throws: inUse) { try workshop.open("link.state") }
        // Reading is allowed.
        #expect(try StoreReader(workshop.path()).content() == nil)
        try store.close()
        #expect(throws: DeviceStoreError.self) { try store.commit(SecretChange.keeping([1], as: "late")) }
        try workshop.open("link.state").close()
    }

    @Test func interruptedCreationIsRepeated() throws {
        let rest = "device.state-" + String(repeating: "0123abcd", count: 4) + "-new"
        try workshop.write(Array("half a datab".utf8), to: rest)
        try workshop.write(Array("and its journal".utf8), to: rest + "-journal")
        try workshop.write(Array("99999999\n".utf8), to: "device.state-lock")
        try workshop.open().close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.directory.path) == ["device.state"])
    }

    @Test("A file that still has its temporary name is finished; one with another name is refused")
    func secondName() throws {
        try workshop.open().close()
        let temporary = workshop.path() + "-" + String(repeating: "0123abcd", count: 4) + "-new"
        try FileManager.default.linkItem(atPath: workshop.path(), toPath: temporary)
        try workshop.open().close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.directory.path) == ["device.state"])
        try FileManager.default.linkItem(atPath: workshop.path(), toPath: workshop.path("other.state"))
        for name in ["device.state", "other.state"] {
            #expect(
                throws: DeviceStoreError.inaccessible(
                    path: workshop.path(name), detail: "it has several names (hard links); remove the others")
            ) { try workshop.open(name) }
        }
    }

    /// A directory in which even root cannot create a file.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self")))
    func unwritableDirectoryIsNamed() throws {
        #expect {
            try DeviceStore.openOrCreate(
                at: "/proc/self/device.state", for: Workshop.identity(), createdAt: .zero)
        } throws: { error in
            "\(error)".hasPrefix("/proc/self/device.state cannot be used: ")
                || "\(error)".hasPrefix(
                    "/proc/\(ProcessInfo.processInfo.processIdentifier)/device.state cannot be used: ")
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root writes wherever it wants"))
    func readOnlyDirectoryIsRefused() throws {
        try workshop.open("closed/device.state").close()
        let directory = workshop.path("closed")
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory) }
        #expect(throws: DeviceStoreError.self) { try workshop.open("closed/device.state") }
        #expect(throws: DeviceStoreError.self) { try workshop.open("closed/another.state") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["device.state"])
    }
}
