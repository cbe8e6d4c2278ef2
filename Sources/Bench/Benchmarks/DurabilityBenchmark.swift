internal import COSE
internal import CTAP
internal import DeviceStore
internal import Foundation
internal import SimulatedDevice
internal import VirtualAuthenticator

/// The cost of durable storage.
enum DurabilityBenchmark {
    /// getAssertion with a durable write for every counter value over the same in memory.
    static func assertion(rounds: Int) async throws -> BenchmarkResult {
        try await withStore { store in
            let (durable, volatile) = (
                BenchmarkDevice(counterMode: .perCredential, storage: store),
                BenchmarkDevice(counterMode: .perCredential)
            )
            let (request, other) = (try await durable.register(), try await volatile.register())
            let measurement = try await Measurement.pair(rounds: rounds) {
                _ = try await durable.client.getAssertion(request)
            } baseline: {
                _ = try await volatile.client.getAssertion(other)
            }
            return BenchmarkResult("getAssertion, on the disk", over: "getAssertion in memory", measurement)
        }
    }

    /// getAssertion with a global counter, of which one write reserves several values, over the same in memory.
    static func reservedAssertions(rounds: Int) async throws -> BenchmarkResult {
        try await withStore { store in
            let (durable, volatile) = (BenchmarkDevice(storage: store), BenchmarkDevice())
            let (request, other) = (try await durable.register(), try await volatile.register())
            // One write reserves 32 values: the median of single assertions would not show it.
            let measurement = try await Measurement.pair(rounds: max(1, rounds / 32)) {
                for _ in 0..<32 { _ = try await durable.client.getAssertion(request) }
            } baseline: {
                for _ in 0..<32 { _ = try await volatile.client.getAssertion(other) }
            }
            return BenchmarkResult("32 x getAssertion, global counter", over: "the same in memory", measurement)
        }
    }

    /// Restoring a device with many credentials over reading the same number of private keys.
    static func loading(credentials: Int, rounds: Int) async throws -> BenchmarkResult {
        try await withStore { store in
            let device = BenchmarkDevice(capacity: credentials)
            for number in 0..<credentials {
                _ = try await device.register(user: withUnsafeBytes(of: number) { Array($0) })
            }
            try store.commit(StorageChange(everythingOf: try await device.authenticator.exportState()))
            let keys = try (0..<credentials).map { _ in
                try COSE.PrivateKey.generate(.es256, randomBytes: SystemRandomSource().bytes).rawRepresentation
            }
            let configuration = device.authenticator.configuration
            let environment = device.authenticator.environment
            let measurement = try await Measurement.pair(rounds: rounds) {
                guard let stored = try store.load() else { throw BenchmarkFailure(description: "nothing was stored") }
                _ = try VirtualAuthenticator(
                    configuration: configuration, environment: environment, restoring: stored.authenticator)
            } baseline: {
                for key in keys { _ = try COSE.PrivateKey(algorithm: .es256, rawRepresentation: key) }
            }
            return BenchmarkResult(
                "a device with \(credentials) credentials comes back", over: "reading \(credentials) keys", measurement)
        }
    }

    private static func withStore(
        _ body: (DeviceStore) async throws -> BenchmarkResult
    ) async throws -> BenchmarkResult {
        // Temporary files may be in memory; the working directory is on a disk.
        let path = FileManager.default.currentDirectoryPath + "/.touchstone-bench-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try DeviceStore.openOrCreate(
            at: path,
            for: DeviceIdentity(profileName: "benchmark", profileText: "", aaguid: [UInt8](repeating: 0, count: 16)),
            createdAt: .zero)
        let result = try await body(store)
        try store.close()
        return result
    }
}

extension StorageChange {
    /// A change that replaces the stored state.
    fileprivate init(everythingOf stored: StoredAuthenticator) {
        self.init()
        erasesEverything = true
        settings = stored.settings
        globalCounter = stored.globalCounter
        for encoded in stored.credentials {
            guard let id = StoredCredential.id(encoded: encoded) else { continue }
            credentials[id] = encoded
        }
        sealedCounters = stored.sealedCounters
        largeBlobs = stored.largeBlobs
    }
}
