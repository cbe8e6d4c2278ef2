internal import COSE
internal import CTAP
internal import DeviceStore
internal import Foundation
internal import SimulatedDevice
internal import VirtualAuthenticator

/// The cost of durable storage.
enum DurabilityBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow("makeCredential of a passkey, on the disk", over: "write of 4 KiB + fsync", limit: 2),
        BenchmarkRow("getAssertion, on the disk", over: "getAssertion in memory"),
        BenchmarkRow("32 x getAssertion, global counter", over: "the same in memory"),
    ]

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let rounds = order.rounds
        return [
            try await registration(rounds: rounds), try await assertion(rounds: rounds),
            // One write reserves 32 values: single assertions would not show it.
            try await reservedAssertions(rounds: max(Interval.fewest, rounds / 32)),
        ]
    }

    /// makeCredential of a passkey on a disk over one write that waits for the same disk.
    ///
    /// The write follows a makeCredential in memory, as the commit does: right after another fsync it takes a sixth less.
    private static func registration(rounds: Int) async throws -> Measurement {
        try await BenchmarkFolder.with { folder in
            try await folder.withStore { store in
                let device = BenchmarkDevice(capacity: rounds + 2, storage: store)
                let volatile = BenchmarkDevice()
                let message = BenchmarkDevice.registration(user: [1], at: "example.org").message
                let disk = try SyncedFile(folder.file("block"))
                // Requests are encoded in advance, so that the row measures the device alone.
                var messages = (0...rounds).map { number in
                    BenchmarkDevice.registration(
                        user: withUnsafeBytes(of: number) { Array($0) }, at: "example.org"
                    ).message
                }
                return try await .rounds(rounds) {
                    let next = messages.removeLast()
                    let subject = try await Measurement.time { try await device.send(next) }
                    try await volatile.send(message)
                    return (subject, try await Measurement.time { try disk.write() })
                }
            }
        }
    }

    /// getAssertion with a durable write for every counter value over the same in memory.
    private static func assertion(rounds: Int) async throws -> Measurement {
        try await BenchmarkFolder.with { folder in
            try await folder.withStore { store in
                let (durable, volatile) = (
                    BenchmarkDevice(counterMode: .perCredential, storage: store),
                    BenchmarkDevice(counterMode: .perCredential)
                )
                let (request, other) = (try await durable.register(), try await volatile.register())
                return try await .pair(rounds: rounds) {
                    _ = try await durable.client.getAssertion(request)
                } baseline: {
                    _ = try await volatile.client.getAssertion(other)
                }
            }
        }
    }

    /// getAssertion with a global counter, of which one write reserves several values, over the same in memory.
    private static func reservedAssertions(rounds: Int) async throws -> Measurement {
        try await BenchmarkFolder.with { folder in
            try await folder.withStore { store in
                let (durable, volatile) = (BenchmarkDevice(storage: store), BenchmarkDevice())
                let (request, other) = (try await durable.register(), try await volatile.register())
                return try await .pair(rounds: rounds) {
                    for _ in 0..<32 { _ = try await durable.client.getAssertion(request) }
                } baseline: {
                    for _ in 0..<32 { _ = try await volatile.client.getAssertion(other) }
                }
            }
        }
    }
}

/// A file that is written in place, each time until the disk has the bytes.
private final class SyncedFile {
    private let descriptor: Int32
    private let block = [UInt8](repeating: 7, count: 4096)

    init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchmarkFailure(description: "\(path) cannot be created") }
    }

    deinit {
        close(descriptor)
    }

    func write() throws {
        guard pwrite(descriptor, block, block.count, 0) == block.count, fsync(descriptor) == 0 else {
            throw BenchmarkFailure(description: "the disk did not take a block")
        }
    }
}

extension BenchmarkFolder {
    /// Runs with a new state file.
    func withStore<Result>(_ body: (DeviceStore) async throws -> Result) async throws -> Result {
        let store = try DeviceStore.openOrCreate(
            at: file("state"),
            for: DeviceIdentity(profileName: "benchmark", profileText: "", aaguid: [UInt8](repeating: 0, count: 16)),
            createdAt: .zero)
        let result = try await body(store)
        try store.close()
        return result
    }
}
