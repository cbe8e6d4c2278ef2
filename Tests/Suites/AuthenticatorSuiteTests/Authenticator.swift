import AuthenticatorSuite
import Conformance
import DeviceProfiles
import Faults
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport

/// Runs of the suite on simulated devices.
enum Authenticator {
    static let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)

    /// The results on a device of a profile, by identifier.
    ///
    /// - Parameters:
    ///   - faults: armed before the run, by their names.
    ///   - identifiers: the cases, or beginnings of their identifiers; empty for all.
    static func results(
        _ profile: String, faults: [String] = [], identifiers: [String] = []
    ) async throws -> [String: CaseResult] {
        let bench = try await AuthenticatorBench.open(try profiles.profile(profile))
        for fault in faults { try await bench.simulatedDevice.arm(try Fault(parsing: fault)) }
        let results = try await results(on: bench, identifiers: identifiers)
        await bench.close()
        return results
    }

    static func results(
        on bench: AuthenticatorBench, identifiers: [String] = []
    ) async throws -> [String: CaseResult] {
        var permission = RunPermission()
        permission.isDestructive = true
        let start = ContinuousClock.now
        let run = ConformanceRun(AuthenticatorSuite.all, on: bench, permission: permission) {
            start.duration(to: .now)
        }
        var selection = CaseSelection()
        selection.identifiers = identifiers
        let results = try await run.results(of: selection).uninterrupted()
        return Dictionary(uniqueKeysWithValues: results.map { ($0.id, $0) })
    }
}

extension CaseResult {
    /// The result in words, for expectations.
    var words: String {
        "\(id): \(verdict.rawValue) "
            + deviations.map { "expected \($0.expected), saw \($0.seen)" }.joined(separator: "; ")
    }
}
