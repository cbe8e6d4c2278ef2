internal import AuthenticatorSuite
internal import CTAP
package import Conformance
package import DeviceProfiles
package import KnownKeys
internal import Machine
package import ProfileFiles

/// A run of the suite on the virtual twin of a known key.
package enum TwinRun {
    /// The known keys with a twin: a profile of the same name.
    package static func keys(_ library: KnownKeyLibrary, _ profiles: ProfileLibrary) throws -> [String] {
        let names = Set(try profiles.files().map { try ProfileLibrary.read($0).name })
        return try library.keys().map(\.name).filter(names.contains)
    }

    /// The answers of a twin by case.
    ///
    /// Each group begins on a new device with a PIN, as keys in use have one: the state that a group leaves behind does not
    /// change the answers to the next one.
    ///
    /// - Parameter groups: the groups of the cases; nil for all.
    package static func answers(
        of profile: DeviceProfile, groups: [String]? = nil, clock: @escaping @Sendable () -> Duration
    ) async throws -> [String: RunComparison.Side] {
        var answers: [String: RunComparison.Side] = [:]
        for group in groups ?? AuthenticatorSuite.all.groups.map(\.name) {
            for result in try await results(of: profile, group, clock) {
                answers[result.id] = RunComparison.Side(result)
            }
        }
        return answers
    }

    private static func results(
        of profile: DeviceProfile, _ group: String, _ clock: @escaping @Sendable () -> Duration
    ) async throws -> [CaseResult] {
        var settings = AuthenticatorBench.Settings()
        settings.mayChange = true
        settings.seed = 1
        let bench = try await AuthenticatorBench.open(profile, settings: settings)
        var permission = RunPermission()
        permission.isDestructive = true
        var selection = CaseSelection()
        selection.identifiers = [group]
        return try await closing(bench.close) {
            if bench.info.option(.clientPin) == false { try await bench.ensurePIN() }
            return try await ConformanceRun(AuthenticatorSuite.all, on: bench, permission: permission, clock: clock)
                .results(of: selection).uninterrupted()
        }
    }
}
