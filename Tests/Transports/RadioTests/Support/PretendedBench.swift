import Radio
import TestSupport

/// A private bus with a pretended BlueZ.
struct PretendedBench: Sendable {
    let bus: BusDaemon
    let bluez: PretendedBlueZ

    /// Runs a test with a bench of its own.
    static func with(
        _ condition: PretendedBlueZ.AdapterCondition = .on, _ use: (PretendedBench) async throws -> Void
    ) async throws {
        try await withBus { bus in
            var configuration = PretendedBlueZ.Configuration()
            configuration.adapter = condition
            configuration.name = "bench"
            let bluez = try await PretendedBlueZ.start(
                on: bus.address, configuration, generator: SeededGenerator(seed: 3))
            do {
                try await use(PretendedBench(bus: bus, bluez: bluez))
                await bluez.stop()
            } catch {
                await bluez.stop()
                throw error
            }
        }
    }

    /// Calls a method with `gdbus`.
    func gdbus(_ path: String, _ method: String, _ arguments: String...) async throws -> ForeignProgram.Output {
        try await ForeignProgram.run(
            ForeignProgram.find("gdbus"),
            ["call", "--address", bus.address, "--dest", "org.bluez", "--object-path", path, "--method", method]
                + arguments, on: bus)
    }
}
