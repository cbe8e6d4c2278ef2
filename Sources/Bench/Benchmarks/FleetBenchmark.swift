internal import ControlAPI
internal import DeviceHost
internal import DeviceProfiles

/// The memory of many idle devices in one control server.
enum FleetBenchmark {
    private static let deviceCount = 10_000

    /// The growth of the resident memory.
    static func run() async throws -> [BenchmarkRow] {
        try await BenchmarkFolder.with(onDisk: false) { folder in
            let profiles = try ProfileLibrary.standard()
            let profile = try profiles.profile("security-key-bio")
            var configuration = ControlConfiguration(token: AccessToken(), profiles: profiles)
            configuration.directory = DeviceSocketDirectory(path: folder.file("sockets"))
            let server = try await ControlServer.start(configuration)
            let before = try ResidentMemory.bytes(of: "self")
            let started = ContinuousClock.now
            do {
                for _ in 0..<deviceCount { try await server.startDevice(DeviceStartRequest(profile: profile)) }
            } catch {
                await server.stop()
                throw error
            }
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            let after = try ResidentMemory.bytes(of: "self")
            await server.stop()
            return [
                BenchmarkRow(
                    "memory of \(deviceCount) idle devices in one control server",
                    Double(after - before) / 1_048_576, "MiB", limit: .atMost(1024)),
                BenchmarkRow("start of \(deviceCount) devices in one control server", seconds, "s"),
            ]
        }
    }
}
