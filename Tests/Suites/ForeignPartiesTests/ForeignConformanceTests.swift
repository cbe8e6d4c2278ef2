import Attestation
import Conformance
import ForeignParties
import Foundation
import RelyingPartySuite
import TestSupport
import Testing

/// The conformance suite at relying parties of other programs; docs/conformance.md judges the findings.
@Suite("The conformance suite at foreign relying parties")
struct ForeignConformanceTests {
    /// A site of the tests, and its known failures.
    struct Site: Sendable, CustomTestStringConvertible {
        /// The file in `Sites/` without `.py`.
        let name: String
        /// The description in `relying-parties/`.
        let description: String
        let variant: String
        var trustsTestRoot = false
        /// The file in `Baselines/` without `.yaml`.
        let baseline: String

        var testDescription: String { baseline }
    }

    static let sites: [Site] = [
        Site(name: "python_fido2", description: "python-fido2", variant: "{}", baseline: "python-fido2"),
        Site(
            name: "python_fido2", description: "python-fido2", variant: #"{"roots": "\#(root.base64EncodedString())"}"#,
            trustsTestRoot: true, baseline: "python-fido2-attestation"),
        Site(
            name: "py_webauthn", description: "fido-conformance",
            variant: #"{"roots": "\#(rootPEM.replacing("\n", with: "\\n"))"}"#, trustsTestRoot: true,
            baseline: "py_webauthn"),
        Site(
            name: "django_allauth", description: "django-allauth", variant: #"{"verification": "none"}"#,
            baseline: "django-allauth"),
    ]

    private static let root = Data((try? AttestationAuthority().rootCertificate) ?? [])
    private static let rootPEM = (try? AttestationAuthority().rootPEM) ?? ""

    /// Our own relying party proves each case; a sample shows that the carrier of each site still works.
    private static let cases = Ring.sample(RelyingPartySuite.all.cases.map(\.description.id), 120)

    @Test(.timeLimit(.minutes(30)), arguments: sites)
    func theFailuresAreTheKnownOnes(site: Site) async throws {
        let results = try await PythonSite.with(site.name, variant: site.variant) { running in
            var told = ToldFacts()
            told.trustsTestRoot = site.trustsTestRoot
            let party = try Parties.shipped(site.description, port: running.port)
            let bench = try await RelyingPartyBench.open(party, told: told)
            let run = ConformanceRun(RelyingPartySuite.all, on: bench, permission: RunPermission()) { .zero }
            var selection = CaseSelection()
            if !Ring.isWhole { selection.identifiers = Self.cases }
            return try await run.results(of: selection).uninterrupted()
        }
        #expect(Set(results.map(\.id)).isSuperset(of: Self.cases))
        if let folder = ProcessInfo.processInfo.environment[Self.variable] {
            try Self.write(results, of: site, to: URL(filePath: folder))
        }
        // Two runs differ in their accounts, which a comparison must not show.
        let accounts = results.flatMap(\.deviations).filter { $0.seen.contains(/conformance-[0-9]+-[0-9a-f]{8}/) }
        #expect(accounts.isEmpty, "\(accounts)")
        let failed = results.filter { $0.verdict == .failed }
        let known = Set(try Self.known(site).map(\.id))
        let words = failed.filter { !known.contains($0.id) }.map { result in
            "\(result.id): " + result.deviations.map { "\($0.expected); seen: \($0.seen)" }.joined(separator: " | ")
        }
        #expect(words.isEmpty, "\(words.joined(separator: "\n"))")
        let ran = Set(results.map(\.id))
        #expect(known.intersection(ran).subtracting(failed.map(\.id)).isEmpty)
    }

    /// The variable that names a folder for the baselines and the reports as they are observed.
    static let variable = "TEST_BASELINES"

    private static func write(_ results: [CaseResult], of site: Site, to folder: URL) throws {
        let report = ConformanceReport(
            suite: RelyingPartySuite.all.name, subject: ConformanceSubject(title: site.name, facts: [:], command: ""),
            version: "", profile: nil, results: results, cases: RelyingPartySuite.all.cases.map(\.description))
        try Data(Baseline(report).text().utf8).write(to: folder.appending(path: "\(site.baseline).yaml"))
        try Data(report.bytes()).write(to: folder.appending(path: "\(site.baseline).json"))
    }

    /// The known failures of a site's whole run.
    private static func known(_ site: Site) throws -> [Baseline.Entry] {
        let folder = try #require(Bundle.module.url(forResource: "Baselines", withExtension: nil))
        let file = folder.appending(path: "\(site.baseline).yaml").path
        return try Baseline(file: file, known: Set(RelyingPartySuite.all.cases.map(\.description.id))).entries
    }
}
