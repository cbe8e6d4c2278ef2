import Foundation
import Reports
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
          role: [peer-mentor, coordinator]
        except: [{ phone: pixel-fingerprint, role: coordinator }]
        devices: { phone: "${phone}" }
        steps:
          - create-account: ada
          - register: { requirements: A3, expect: { http: 201 } }
          - list-passkeys: { requirements: A15, expect: { passkeys: "${phone.passkeys}" } }
        """

    /// An identifier that the list lacks, and scenarios without a requirement, one of which has an app.
    private static let others = [
        """
        name: Unknown requirement
        devices: { key: security-key-nfc }
        steps:
          - create-account: { name: ada, requirements: A99, expect: { http: 201 } }
        """,
        """
        name: Stolen phone
        devices: { phone: windows-hello-face }
        app: { role: coordinator, style: boolean-gate }
        steps:
          - open
          - create-account: { name: ada, expect: { outcome: ok, http: 404 } }
        """,
    ]

    /// The shipped requirements, of which three are pending.
    private static func catalogueWithPending() throws -> RequirementCatalogue {
        let file = PackageRoot.url.appending(path: "Sources/Scenarios/Scenarios/Requirements/requirements.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        return try RequirementCatalogue(
            parsing: text + "pending: { A7: no phone, L3: no phone, L15: no phone }\n", file: file.path)
    }

    @Test("A reader opens a red cell, sees every lane, and filters; axe finds nothing in light and dark")
    func pageIsUsed() async throws {
        let runner = ScenarioRunner(profiles: ShippedScenarioTests.profiles, keepsTraces: true)
        var reports: [ScenarioReport] = []
        let runs = try ([Self.text] + Self.others).enumerated().flatMap { index, text in
            try Scenario.runs(parsing: text, file: index == 0 ? "s.yaml" : "other-\(index).yaml")
        }
        for (index, run) in runs.enumerated() {
            reports.append(try await runner.run(run, number: index + 1))
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).html")
        defer { try? FileManager.default.removeItem(at: file) }
        var page = MatrixPage(reports, catalogue: try Self.catalogueWithPending())
        page.title = "Passkeys of Example Bank"
        page.origins += ["Made on a day by a program, seed 1"]
        try page.html().write(to: file, atomically: true, encoding: .utf8)
        let scripts = try #require(Bundle.module.url(forResource: "Scripts", withExtension: nil))
        _ = try await Script.run("report_page", in: [scripts], ["url": .text(file.absoluteString)])
    }
}
