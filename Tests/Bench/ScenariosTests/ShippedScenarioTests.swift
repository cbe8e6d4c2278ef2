import DeviceProfiles
import Foundation
import Scenarios
import TestSupport
import Testing

/// Every shipped scenario passes.
struct ShippedScenarioTests {
    static let files =
        (try? ScenarioLibrary(directory: PackageRoot.url.appending(path: "scenarios").path).files()) ?? []

    static var profiles: ProfileLibrary {
        ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
    }

    @Test func scenariosAreShipped() {
        #expect(Self.files.count >= 10)
    }

    @Test(arguments: files)
    func theScenarioPasses(file: String) async throws {
        let scenario = try ScenarioLibrary.read(file)
        let report = try await ScenarioRunner(profiles: Self.profiles, isStrict: true).run(scenario)
        for step in report.steps {
            #expect(step.passed, "\(file):\(step.line): \(step.title): \(step.mismatches) \(step.server)")
        }
        #expect(report.steps.count == scenario.steps.count)
    }

    @Test func aLockoutOfThirtySecondsPassesInSimulatedTime() async throws {
        let file = PackageRoot.url.appending(path: "scenarios/android-timed-lockout.yaml").path
        let report = try await ScenarioRunner(profiles: Self.profiles).run(ScenarioLibrary.read(file))
        #expect(report.passed)
        #expect(report.simulatedSeconds >= 60)
        #expect(report.realSeconds < report.simulatedSeconds / 2)
    }
}
