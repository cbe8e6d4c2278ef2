internal import ControlAPI
internal import DeviceHost
internal import DeviceProfiles
internal import Machine
internal import ProfileFiles

/// 10,000 idle devices in one control server, over as many authenticators without a server, a user and a profile.
enum FleetBenchmark: Benchmark {
    static let rows = [
        BenchmarkRow("memory of an idle device in a control server", over: authenticator, limit: 36, unit: .kibibytes),
        BenchmarkRow("start of a device in a control server", over: authenticator),
    ]

    private static let authenticator = "an authenticator alone"
    private static let batches = 10
    private static let devicesOfBatch = 1000

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        // They come first: the server's starts leave free memory, which they would take.
        var authenticators: [BenchmarkDevice] = []
        authenticators.reserveCapacity(batches * devicesOfBatch)
        var baselines: [(memory: Double, time: Double)] = []
        for _ in 0..<batches { baselines.append(try await cost { authenticators.append(BenchmarkDevice()) }) }
        return try await BenchmarkFolder.with(onDisk: false) { folder in
            let profiles = try ProfileLibrary.standard()
            let profile = try profiles.profile("security-key-bio")
            var configuration = ControlConfiguration(token: AccessToken(), profiles: profiles)
            configuration.directory = DeviceSocketDirectory(path: folder.file("sockets"))
            let server = try await ControlServer.start(configuration)
            var (memory, time) = (Measurement(), Measurement())
            try await closing(server.stop) {
                for baseline in baselines {
                    let subject = try await cost { try await server.startDevice(DeviceStartRequest(profile: profile)) }
                    memory.add(subject.memory, over: baseline.memory)
                    time.add(subject.time, over: baseline.time)
                }
            }
            withExtendedLifetime(authenticators) {}
            return [memory, time]
        }
    }

    /// The growth of the resident memory in KiB, and the microseconds, by one of many devices.
    private static func cost(_ start: () async throws -> Void) async throws -> (memory: Double, time: Double) {
        let before = try ResidentMemory.bytes(of: "self")
        let time = try await Measurement.time { for _ in 0..<devicesOfBatch { try await start() } }
        let growth = try ResidentMemory.bytes(of: "self") - before
        return (Double(growth) / 1024 / Double(devicesOfBatch), time / Double(devicesOfBatch))
    }
}
