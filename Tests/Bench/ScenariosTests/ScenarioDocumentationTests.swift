import DeviceActs
import Foundation
import Scenarios
import SimulatedDevice
import TestSupport
import Testing

/// docs/scenarios.md documents the scenario language, docs/secure-storage.md the words of secure storage.
@Suite("The documentation of scenarios")
struct ScenarioDocumentationTests {
    private static func text(_ name: String) throws -> String {
        try String(contentsOf: PackageRoot.url.appending(path: "docs/\(name)"), encoding: .utf8)
    }

    @Test("names every step, every parameter and everything that can be expected")
    func scenarios() throws {
        let text = try Self.text("scenarios.md")
        let acts = DeviceAct.vocabulary
        let words = ScenarioStep.words
        let subjects = Expectation.Subject.all.map(\.name)
        let parameters = acts.flatMap(\.parameters).map(\.name)
        for word in words + subjects + parameters { #expect(text.contains("`\(word)`"), "\(word)") }
    }

    @Test("names every kind of access and accessibility")
    func secureStorage() throws {
        let text = try Self.text("secure-storage.md")
        let words =
            SecureStorage.Access.allCases.map(\.rawValue) + SecureStorage.Accessibility.allCases.map(\.rawValue)
            + ["validity", "strength", "migrates"]
        for word in words { #expect(text.contains("`\(word)"), "\(word)") }
    }
}
