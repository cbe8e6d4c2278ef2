internal import DeviceProfiles
internal import Documents
internal import Foundation
internal import Mutants
internal import ProfileFiles
internal import Scenarios

/// Runs of a scenario on the program with one change.
enum ScenarioUnderTest {
    private static let runner = ScenarioRunner(profiles: ProfileLibrary(directory: "profiles").caching())

    /// The first run that turns red, if it is green without the change; empty when every run stays green.
    ///
    /// Without a mutation every run is played.
    static func red(_ order: Order) async throws -> [String] {
        guard let path = order.scenario else { throw OrderError("the order names no scenario") }
        for run in try ScenarioLibrary.runs(of: path) {
            Mutant.make(order.mutation)
            let report = try await runner.run(run)
            Mutant.make(nil)
            guard !report.passed else { continue }
            if order.mutation != nil {
                guard try await runner.run(run).passed else {
                    throw OrderError("\(run.name) is red without the mutation")
                }
            }
            return [run.name]
        }
        return []
    }
}
