internal import COSE
internal import DeviceStore
internal import SimulatedDevice
internal import VirtualAuthenticator

/// The start of a device from a state file with many credentials.
enum StoredStartBenchmark {
    private static let credentialCount = 100_000

    static func run(rounds: Int) async throws -> [BenchmarkRow] {
        try await BenchmarkFolder.with { folder in
            try await folder.withStore { store in
                let device = BenchmarkDevice(capacity: credentialCount)
                try await device.fill(credentialCount) { "rp\($0).example" }
                try store.commit(StorageChange(everythingOf: try await device.authenticator.exportState()))
                let (configuration, environment) = (
                    device.authenticator.configuration, device.authenticator.environment
                )
                var times: [Double] = []
                for _ in 0..<rounds {
                    // The row excludes the end of the earlier device.
                    var started: VirtualAuthenticator?
                    times.append(
                        try await Measurement.time {
                            guard let stored = try store.load() else {
                                throw BenchmarkFailure(description: "nothing was stored")
                            }
                            started = try VirtualAuthenticator(
                                configuration: configuration, environment: environment, restoring: stored.authenticator)
                        })
                    withExtendedLifetime(started) {}
                }
                let spread = Spread(times)
                return [
                    BenchmarkRow(
                        "start with \(credentialCount) stored credentials", spread.median / 1_000_000, "s",
                        limit: .atMost(0.4), spread: spread)
                ]
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
