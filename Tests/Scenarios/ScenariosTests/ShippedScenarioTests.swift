import DeviceProfiles
import Documents
import Foundation
import ProfileFiles
import Scenarios
import TestSupport
import Testing
import YAMLFiles

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

    /// A run of a shipped scenario.
    struct Run: Sendable, CustomTestStringConvertible {
        let scenario: Scenario

        var testDescription: String { "\(ResourceName.name(ofFile: scenario.file)) \(scenario.combination.words)" }
    }

    /// Every run in `make verify`; in `make test` each two values of a matrix meet in one run.
    static let runs: [Run] = {
        var selection = ScenarioSelection()
        selection.isPairwise = !Ring.isWhole
        let runs = files.flatMap { (try? ScenarioLibrary.runs(of: $0)) ?? [] }
        return ((try? selection.select(from: runs)) ?? []).map(Run.init)
    }()

    @Test("Every shipped file can be read", arguments: files)
    func fileIsRead(file: String) throws {
        #expect(try !ScenarioLibrary.runs(of: file, profiles: Self.profiles).isEmpty)
    }

    @Test(arguments: runs)
    func theScenarioPasses(run: Run) async throws {
        let scenario = run.scenario
        let report = try await ScenarioRunner(profiles: Self.profiles, isStrict: true).run(scenario)
        for step in report.steps {
            #expect(step.passed, "\(step.file):\(step.line): \(step.title): \(step.mismatches) \(step.server)")
        }
        #expect(report.steps.count == scenario.steps.count)
    }

    // A month, for the run shares the machine with every other one.
    @Test func aMonthPassesInSimulatedTime() async throws {
        let file = PackageRoot.url.appending(path: "scenarios/session-life.yaml").path
        let report = try await ScenarioRunner(profiles: Self.profiles).run(ScenarioLibrary.runs(of: file)[0])
        #expect(report.passed)
        #expect(report.simulatedSeconds >= 31 * 86_400)
        #expect(report.realSeconds < report.simulatedSeconds)
    }
}
