internal import DeviceProfiles
internal import Foundation
internal import SimulatedDevice
internal import VirtualAuthenticator

/// The memory of many idle devices in one process.
enum FleetBenchmark {
    static let deviceCount = 10_000

    /// The growth of the resident memory.
    static func run() throws -> BenchmarkFigure {
        let profile = try ProfileLibrary.standard().profile("security-key-bio")
        let before = try residentBytes()
        let devices = try (0..<deviceCount).map { number in
            let clock = SimulatedClock()
            return try SimulatedDevice(
                profile: profile, time: clock, random: SeededRandomSource(seed: UInt64(number)),
                person: ScriptedPerson(clock: clock))
        }
        let after = try residentBytes()
        return BenchmarkFigure(
            name: "memory of \(devices.count) idle devices", value: Double(after - before) / 1_048_576, unit: "MiB",
            limit: 1024)
    }

    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkFailure(description: "/proc/self/statm has no resident set size")
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
