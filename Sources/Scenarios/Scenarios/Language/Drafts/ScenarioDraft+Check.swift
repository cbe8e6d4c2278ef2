internal import DeviceProfiles
internal import Documents
package import ProfileFiles
internal import Wording

extension ScenarioDraft {
    /// Checks that the scenario passes as it is: plays its runs.
    ///
    /// - Throws: ``SourceError`` for a profile at which the flow does not pass, with the reason and the flows that do.
    package func check(_ profiles: ProfileLibrary) async throws {
        for profile in self.profiles {
            guard let problem = try await problem(of: flow, at: profile, profiles) else { continue }
            var passing: [String] = []
            for other in Flow.allCases where other != flow {
                if try await self.problem(of: other, at: profile, profiles) == nil { passing.append(other.rawValue) }
            }
            let advice = passing.isEmpty ? "" : ", or the flow \(passing.joined(separator: " or "))"
            throw self.problem(
                "\(flow.rawValue) does not pass at \(profile): \(problem); choose another profile\(advice)")
        }
    }

    /// The reason why a flow does not pass at a profile; nil when it does.
    private func problem(of flow: Flow, at profile: String, _ library: ProfileLibrary) async throws -> String? {
        var draft = self
        (draft.flow, draft.profiles) = (flow, [profile])
        let scenario: Scenario
        do {
            scenario = try Scenario(parsing: draft.text(library), file: "the new scenario")
            _ = try scenario.profiles(from: library)
        } catch {
            // A misspelt profile says nothing about the flow.
            _ = try library.profile(profile)
            return error.message
        }
        let report = try await ScenarioRunner(profiles: library, isStrict: true).run(scenario)
        guard let failed = report.steps.first(where: { !$0.passed }), let mismatch = failed.mismatches.first else {
            return nil
        }
        return "\(failed.name): \(mismatch.words())"
    }
}
