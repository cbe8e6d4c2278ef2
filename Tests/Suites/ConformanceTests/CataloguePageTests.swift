import AuthenticatorSuite
import Conformance
import RelyingPartySuite
import Testing

/// The lists of cases that `touchstone conformance list` prints.
@Suite("Pages of the catalogue")
struct CataloguePageTests {
    private static let suites = [AuthenticatorSuite.all.catalogue, RelyingPartySuite.all.catalogue]

    /// The number of cases in each group, which changes with a lost or an added case.
    private static let counts: [[(group: String, cases: Int)]] = [
        [
            ("CTAPHID", 81), ("CTAP over NFC", 35), ("Commands", 20), ("The encoding of messages", 226),
            ("authenticatorGetInfo", 115), ("authenticatorSelection", 5), ("authenticatorMakeCredential", 186),
            ("authenticatorGetAssertion and authenticatorGetNextAssertion", 133), ("CTAP1/U2F", 35),
            ("Attestation", 40), ("authenticatorClientPIN", 276), ("User verification", 60),
            ("authenticatorReset", 19), ("authenticatorCredentialManagement", 154), ("authenticatorConfig", 53),
            ("authenticatorBioEnrollment", 113), ("authenticatorLargeBlobs", 40),
            ("The extensions hmac-secret and hmac-secret-mc", 36), ("The extension credProtect", 20),
            ("The extension credBlob", 11), ("The extension largeBlobKey", 11), ("The extension minPinLength", 7),
            ("The extension pinComplexityPolicy", 5), ("The extension thirdPartyPayment", 5), ("The extension uvm", 5),
            ("Extensions in general", 24), ("Keepalives and time-outs", 18), ("Cancellation", 15),
            ("State between commands", 16), ("Metadata statement", 67),
        ],
        [
            ("The options of registrations", 35), ("The options of sign-ins", 17),
            ("Registrations: response, client data, authenticator data, credential and key", 295),
            ("Attestation statements of each format, and their certificates", 328),
            ("Each algorithm, with the right key and a wrong one", 84),
            ("Assertions: response, client data, authenticator data and signature", 254),
            ("Challenges, and the sessions that they belong to", 17),
            ("Several accounts, and the information for clients without a session", 16),
            ("Models whose metadata the relying party was told", 11),
        ],
    ]

    @Test("A suite has its groups, each with its number of cases", arguments: zip(suites, counts))
    func groups(_ suite: [CatalogueGroup], _ counts: [(group: String, cases: Int)]) {
        #expect(suite.map(\.title) == counts.map(\.group))
        #expect(suite.map(\.cases.count) == counts.map(\.cases))
    }

    @Test("A profile's demand is a need of a case", arguments: profiles)
    func demands(_ profile: RunProfile, _ cases: [CaseDescription]) {
        let needs = Set(
            cases.filter { profile.specifications.contains($0.clause.specification) }.flatMap(\.needs))
        #expect(profile.demands.filter { !needs.contains($0) } == [], "\(profile.name)")
    }

    private static let profiles =
        AuthenticatorSuite.all.profiles.map { ($0, AuthenticatorSuite.all.cases.map(\.description)) }
        + RelyingPartySuite.all.profiles.map { ($0, RelyingPartySuite.all.cases.map(\.description)) }

    @Test("The page of a suite lists each case once, with its demand, clause and level", arguments: suites)
    func page(_ suite: [CatalogueGroup]) {
        let lines = CatalogueMarkdown.page(title: "Cases", suite).split(separator: "\n")
        // The text up to the second bar: the row of a case.
        let rows = Dictionary(grouping: lines) { $0.split(separator: "|", maxSplits: 1).first.map(String.init) }
        let cases = suite.flatMap(\.cases)
        #expect(Set(cases.map(\.id)).count == cases.count)
        for single in cases {
            #expect(!single.title.isEmpty && !single.clause.description.isEmpty, "\(single.id)")
            let cells = ["`\(single.id)`", single.title, single.clause.description, single.level.rawValue]
            let row = "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " | "
            let listed = rows[" `\(single.id)` "] ?? []
            #expect(listed.count == 1 && listed[0].hasPrefix(row), "\(row)")
        }
        for group in suite { #expect(lines.contains("## \(group.title)")) }
    }

    @Test("The page of the FIDO tool's scripts lists each script with the cases here about the same")
    func official() {
        let modules = [
            (AuthenticatorSuite.all.official, Self.suites[0]), (RelyingPartySuite.all.official, Self.suites[1]),
        ].map { table, suite in (table.module, table.coverage(by: suite.flatMap(\.cases))) }
        let page = OfficialMarkdown.page(modules)
        for (module, coverage) in modules {
            #expect(page.contains("## \(module)\n"))
            for script in coverage {
                #expect(
                    page.contains("| \(script.group) | `\(script.script)` | \(script.markers) | \(script.cases) | "))
                for known in script.known {
                    let cases = known.cases.map { "`\($0)`" }.joined(separator: ", ")
                    #expect(page.contains("| `\(script.script) \(known.marker)` | \(cases) | \(known.source) |"))
                }
            }
        }
    }
}
