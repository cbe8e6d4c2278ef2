internal import Attestation
internal import AuthenticatorSuite
internal import Conformance
internal import DeviceProfiles
internal import Faults
internal import Foundation
internal import Mutants
internal import ProfileFiles
internal import SimulatedDevice
internal import VirtualAuthenticator

/// Runs of the suite for authenticators on a simulated one with one change.
enum AuthenticatorUnderTest {
    static let library = ProfileLibrary(directory: "profiles")

    /// The cases that turn red: failed, or warned of.
    static func red(_ order: Order) async throws -> [String] {
        guard let name = order.profile else { throw OrderError("the order names no profile") }
        let profile = try library.profile(name)
        var settings = AuthenticatorBench.Settings()
        settings.seed = 1
        settings.metadata = try StatedMetadata(
            Array(try await profile.metadataStatement().json.utf8), file: "\(profile.name).json")
        let bench = try await AuthenticatorBench.open(profile, settings: settings)
        let device = try bench.simulatedDevice
        if order.keepsFaults != true { await device.clearFaults() }
        if let fault = order.fault { try await device.arm(try Fault(parsing: fault)) }
        Mutant.make(order.mutation)
        let red = try await perform(order.cases ?? [], on: bench)
        Mutant.make(nil)
        await bench.close()
        return red
    }

    private static func perform(_ identifiers: [String], on bench: AuthenticatorBench) async throws -> [String] {
        // The change may concern getInfo, and may leave nothing to read.
        _ = try? await bench.readInfo()
        var selection = CaseSelection()
        selection.identifiers = identifiers
        var permission = RunPermission()
        permission.isDestructive = true
        let start = ContinuousClock.now
        let run = ConformanceRun(AuthenticatorSuite.all, on: bench, permission: permission) {
            start.duration(to: .now)
        }
        return try await run.results(of: selection).uninterrupted()
            .filter { [.failed, .warning].contains($0.verdict) }.map(\.id)
    }
}
