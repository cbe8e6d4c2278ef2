import DeviceStore
import FaultyDisk
import Foundation
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

/// Every write of every change to a state file fails once: a full disk, a failed operation, a kill.
///
/// A change that was confirmed is in the file afterwards; one that was not is there whole or not at all. No test simulates a loss of
/// power, which loses bytes that the disk has not written.
@Suite(.serialized)
struct FaultyDiskTests {
    /// A thing that a device does to its file.
    enum Work: CaseIterable {
        case create, commit, eraseEverything, keepSecret, close, snapshot
    }

    /// More operations than any work needs; a test that gets there has met no fault.
    private static let mostOperations = 500

    private struct Outcome {
        var before: StoredDevice?
        var after: StoredDevice?
        var isConfirmed = false
    }

    @Test(
        "A file survives each fault at each operation", arguments: Work.allCases,
        FaultyDisk.Fault.allCases)
    func everyOperation(work: Work, fault: FaultyDisk.Fault) async throws {
        let changes = [try await Samples.change(1..<3), try await Samples.change(3..<40)]
        var operations = 0
        let step = Ring.isWhole ? 1 : 5
        for target in stride(from: 1 + Int(Ring.seed % UInt64(step)), through: Self.mostOperations, by: step) {
            let workshop = try Workshop()
            let wasReached = try attempt(work, fault, at: target, changes, workshop)
            guard wasReached else { break }
            operations = target
        }
        #expect((1..<Self.mostOperations).contains(operations), "\(work) has \(operations) operations")
    }

    /// Does the work with a fault; returns whether the fault was reached.
    private func attempt(
        _ work: Work, _ fault: FaultyDisk.Fault, at target: Int, _ changes: [StorageChange], _ workshop: Workshop
    ) throws -> Bool {
        var outcome = Outcome()
        var store: DeviceStore?
        if work != .create {
            store = try workshop.open(passphrase: Workshop.passphrase, durability: .full)
            try store?.commit(changes[0])
            outcome.before = try store?.load()
            outcome.after = outcome.before
        }
        if work == .close { try store?.commit(changes[1]) }
        if work == .close { outcome.before = try store?.load() }
        let (_, wasReached) = FaultyDisk.run(fault, at: target, in: workshop.directory.path) {
            do {
                try perform(work, &store, changes, workshop)
                outcome.isConfirmed = true
            } catch {
                // The caller was told.
            }
            if fault == .kill {
                // A dead process closes nothing. SQLite's writes while it is released do not reach the disk.
                store = nil
            }
        }
        try? store?.close()
        store = nil
        try verify(work, outcome, changes, workshop, "\(work), \(fault) at \(target)")
        return wasReached
    }

    private func perform(
        _ work: Work, _ store: inout DeviceStore?, _ changes: [StorageChange], _ workshop: Workshop
    ) throws {
        switch work {
        case .create: store = try workshop.open(passphrase: Workshop.passphrase, durability: .full)
        case .commit: try store?.commit(changes[1])
        case .eraseEverything:
            var change = changes[1]
            change.erasesEverything = true
            try store?.commit(change)
        case .keepSecret: try store?.commit(SecretChange.keeping([7], as: "secret"))
        case .close: try store?.close()
        case .snapshot:
            guard let store, let content = try store.load() else { return }
            try DeviceStore.writeSnapshot(
                content, to: workshop.path("snapshot.state"), for: Workshop.identity(), createdAt: .zero,
                sealedLike: store)
        }
    }

    /// Opens the files as another process would, and compares their states.
    private func verify(
        _ work: Work, _ outcome: Outcome, _ changes: [StorageChange], _ workshop: Workshop, _ comment: Comment
    ) throws {
        for end in ["-shm", "-lock"] { try? FileManager.default.removeItem(atPath: workshop.path() + end) }
        let store = try workshop.open(passphrase: Workshop.passphrase, durability: .full)
        let found = try store.load()?.unordered
        try store.close()
        let before = outcome.before?.unordered
        switch work {
        case .create: #expect(found == nil, comment)
        case .close, .snapshot: #expect(found == before, comment)
        case .commit:
            let after = StoredDevice.after(changes)?.unordered
            #expect(found == after || (!outcome.isConfirmed && found == before), comment)
        case .eraseEverything:
            let after = StoredDevice.after([changes[1]])?.unordered
            #expect(found == after || (!outcome.isConfirmed && found == before), comment)
        case .keepSecret:
            let isKept = found?.secrets.isEmpty == false
            #expect(isKept || !outcome.isConfirmed, comment)
            #expect(found?.authenticator == before?.authenticator, comment)
        }
        // A snapshot has its name only when it is complete.
        let snapshot = workshop.path("snapshot.state")
        if FileManager.default.fileExists(atPath: snapshot) {
            #expect(try StoreReader(snapshot).content(passphrase: Workshop.passphrase)?.unordered == before, comment)
        } else {
            #expect(work != .snapshot || !outcome.isConfirmed, comment)
        }
    }

    @Test func fileIsReadOnAFullDisk() async throws {
        let workshop = try Workshop()
        let store = try workshop.open()
        try store.commit(try await Samples.change(1..<3))
        let content = try store.load()
        try store.close()
        let (read, wasReached) = try await FaultyDisk.run(.full, at: 1, in: workshop.directory.path) {
            try StoreReader(workshop.path()).content()
        }
        #expect(wasReached)
        #expect(read == content)
    }
}
