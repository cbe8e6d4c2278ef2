internal import COSE
internal import DeviceStore
internal import Foundation
internal import SimulatedDevice
internal import VirtualAuthenticator

/// The start of a device from a state file with many credentials, over reading the bytes of the file.
enum StoredStartBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow("start with \(credentialCount) stored credentials", over: "reading the same bytes", limit: 44)
    ]

    private static let credentialCount = 100_000

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        try await BenchmarkFolder.with { folder in
            try await folder.withStore { store in
                let device = BenchmarkDevice(capacity: credentialCount)
                try await device.fill(credentialCount) { "rp\($0).example" }
                try store.commit(StorageChange(everythingOf: try await device.authenticator.exportState()))
                let (configuration, environment) = (
                    device.authenticator.configuration, device.authenticator.environment
                )
                let file = URL(filePath: folder.file("state"))
                let measurement = try await Measurement.rounds(min(order.rounds, 9)) {
                    // The end of the earlier device is not part of the start.
                    var started: VirtualAuthenticator?
                    let start = try await Measurement.time {
                        guard let stored = try store.load() else {
                            throw BenchmarkFailure(description: "nothing was stored")
                        }
                        started = try VirtualAuthenticator(
                            configuration: configuration, environment: environment, restoring: stored.authenticator)
                    }
                    withExtendedLifetime(started) {}
                    return (start, try await Measurement.time { _ = try Data(contentsOf: file) })
                }
                return [measurement]
            }
        }
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
            guard let (id, credential) = EncodedCredential.reading(encoded) else { continue }
            credentials[id] = credential
        }
        sealedCounters = stored.sealedCounters
        largeBlobs = stored.largeBlobs
    }
}
