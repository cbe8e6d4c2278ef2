import Foundation
import Reports
import Scenarios
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reports for CI servers.
struct JUnitReportTests {
    @Test func aFailureIsWellFormedXMLWithTheRightCounts() async throws {
        let text = """
            name: a < b & "c"
            devices: { phone: pixel-fingerprint }
            steps:
              - create-account: ada
              - list-passkeys
              - list-passkeys
              - register: { person: cancel }
              - sign-out
            """
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "t.yaml"))
        let document = try XMLDocument(xmlString: JUnitDocument([report]).xml)
        let suite = try #require(try document.nodes(forXPath: "/testsuites/testsuite").first as? XMLElement)
        #expect(suite.attribute(forName: "name")?.stringValue == "a < b & \"c\"")
        #expect(suite.attribute(forName: "tests")?.stringValue == "5")
        #expect(suite.attribute(forName: "failures")?.stringValue == "1")
        #expect(suite.attribute(forName: "skipped")?.stringValue == "1")
        #expect(try document.nodes(forXPath: "//failure").count == 1)
        #expect(try document.nodes(forXPath: "//skipped/@message").count == 1)
        // A step that was not played took no time.
        let times = try document.nodes(forXPath: "//testcase/@time").compactMap(\.stringValue)
        #expect(times.count == 4 && times.allSatisfy { Double($0) != nil }, "\(times)")
        #expect(try document.nodes(forXPath: "//property[@name='seed']/@value").compactMap(\.stringValue) == ["1"])
        let names = try document.nodes(forXPath: "//testcase/@name").compactMap(\.stringValue)
        #expect(
            names.dropFirst() == [
                "lists the passkeys", "lists the passkeys (2nd time)", "phone: registers a passkey: cancel",
                "signs out",
            ])
    }

    @Test func aReportRoundTripsThroughJSON() async throws {
        let text = "name: t\ndevices: { phone: pixel-fingerprint }\nsteps:\n  - check: { expect: { lockout: none } }\n"
        let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles).run(
            Scenario(parsing: text, file: "t.yaml"))
        let decoded = try JSONDecoder().decode(ScenarioReport.self, from: JSONEncoder().encode(report))
        #expect(decoded.passed)
        #expect(decoded.steps.map(\.title) == report.steps.map(\.title))
    }
}
