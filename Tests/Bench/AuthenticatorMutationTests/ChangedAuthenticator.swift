import Attestation
import AuthenticatorSuite
import Conformance
import DeviceProfiles
import Faults
import Foundation
import Mutations
import SimulatedDevice
import TestSupport
import VirtualAuthenticator

/// A single change of a simulated authenticator.
enum AuthenticatorChange {
    /// A behaviour of the authenticator is switched off, by its identifier.
    case mutation(String)
    /// A fault of the catalogue is armed.
    case fault(Fault)
    /// The known defects of a real key stay armed, which a profile describes.
    case quirk(profile: String)

    /// Reads a change as the tables name it: `authenticator.NAME`, `message.NAME`, `fault.SPELLING`, `quirk.PROFILE`.
    init(_ name: String) throws {
        if name.hasPrefix("fault.") {
            self = .fault(try Fault(parsing: String(name.dropFirst("fault.".count))))
        } else if name.hasPrefix("quirk.") {
            self = .quirk(profile: String(name.dropFirst("quirk.".count)))
        } else {
            self = .mutation(name)
        }
    }
}

/// Runs of the suite on a simulated authenticator with one change.
enum ChangedAuthenticator {
    static let usualProfile = "security-key-complete"
    static let library = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
    static let cases = AuthenticatorSuite.all.cases.map(\.description.id)

    /// The cases that turn red: failed, or warned of.
    ///
    /// - Parameters:
    ///   - change: nil for the authenticator as it is.
    ///   - identifiers: the cases to run, or beginnings of their identifiers; empty for all.
    static func red(
        _ change: AuthenticatorChange?, on profile: String = usualProfile, of identifiers: [String]
    ) async throws -> [String] {
        let profile = try library.profile(profile)
        var settings = AuthenticatorBench.Settings()
        settings.seed = 1
        settings.metadata = try StatedMetadata(
            Array(try await profile.metadataStatement().json.utf8), file: "\(profile.name).json")
        let bench = try await AuthenticatorBench.open(profile, settings: settings)
        let device = try bench.simulatedDevice
        if case .quirk = change {} else { await device.clearFaults() }
        let red: [String]
        switch change {
        case .mutation(let identifier):
            red = try await ActiveMutation.during(identifier) { try await perform(identifiers, on: bench) }
        case .fault(let fault):
            await device.arm(fault)
            red = try await perform(identifiers, on: bench)
        case .quirk, nil:
            red = try await perform(identifiers, on: bench)
        }
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
        return try await run.results(of: selection)
            .filter { [.failed, .warning].contains($0.verdict) }.map(\.id)
    }
}
