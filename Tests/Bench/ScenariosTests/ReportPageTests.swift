import Foundation
import Scenarios
import TestSupport
import Testing

/// The HTML report in a browser.
@Suite("The report in Chromium")
struct ReportPageTests {
    private static let text = """
        name: "<img src=x onerror='window.injected = 1'>"
        matrix:
          phone:
            - { name: pixel-fingerprint, passkeys: 3 }
            - { name: iphone-face-id, passkeys: 1 }
          role: [member, leader]
        except: [{ phone: pixel-fingerprint, role: leader }]
        devices: { phone: "${phone}" }
        steps:
          - create-account: ada
          - register: { requirements: A3, expect: { http: 201 } }
          - list-passkeys: { requirements: A15, expect: { passkeys: "${phone.passkeys}" } }
        """

    @Test("A reader opens a red cell, sees every lane, and filters; axe finds nothing in light and dark")
    func pageIsUsed() async throws {
        let runner = ScenarioRunner(profiles: ShippedScenarioTests.profiles, keepsTraces: true)
        var reports: [ScenarioReport] = []
        for (index, run) in try Scenario.runs(parsing: Self.text, file: "s.yaml").enumerated() {
            reports.append(try await runner.run(run, number: index + 1))
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).html")
        defer { try? FileManager.default.removeItem(at: file) }
        try HTMLReport.html(reports).write(to: file, atomically: true, encoding: .utf8)
        let scripts = try #require(Bundle.module.url(forResource: "Scripts", withExtension: nil))
        _ = try await Script.run("report_page", in: [scripts], ["url": .text(file.absoluteString)])
    }
}
