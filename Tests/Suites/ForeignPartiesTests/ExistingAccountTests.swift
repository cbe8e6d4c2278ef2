import Conformance
import Documents
import ForeignParties
import Foundation
import RelyingPartySuite
import Scenarios
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server that lets no client make an account, and has some for the test.
@Suite("Existing accounts of a relying party")
struct ExistingAccountTests {
    /// Touchstone's own relying party, used as if it let no client make an account.
    private static func party(_ port: Int, accounts: [String]) throws -> ForeignParty {
        let list = accounts.map { "  - { name: \($0), password: a long password }" }.joined(separator: "\n")
        let shipped = try String(contentsOf: Parties.folder.appending(path: "touchstone.yaml"), encoding: .utf8)
        let start = try #require(shipped.range(of: "account:\n"))
        let end = try #require(shipped.range(of: "registration:\n"))
        let text = shipped.replacingCharacters(
            in: start.lowerBound..<end.lowerBound,
            with: """
                account:
                  - path: /api/v1/auth/password/sign-in
                    body: { username: "{account}", password: "{password}" }
                existing-accounts:
                \(list)

                """)
        return try Parties.party(text, port: port)
    }

    /// Runs the server with accounts in it.
    private static func withServer<Result>(
        _ accounts: [String], _ use: (ForeignParty) async throws -> Result
    ) async throws -> Result {
        try await Parties.withServer { port in
            for account in accounts {
                var request = URLRequest(
                    url: try #require(URL(string: "http://localhost:\(port)/api/v1/auth/accounts")))
                request.httpMethod = "POST"
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                let body: JSONValue = [
                    "username": .text(account), "displayName": "A user", "password": "a long password",
                ]
                request.httpBody = Data(try body.bytes())
                let (_, answer) = try await URLSession.shared.answer(to: request)
                #expect((answer as? HTTPURLResponse)?.statusCode == 201)
            }
            return try await use(try party(port, accounts: accounts))
        }
    }

    private func play(_ text: String, at party: ForeignParty) async throws -> [ScenarioReport] {
        let runner = ScenarioRunner(profiles: Parties.profiles, relyingParty: party)
        var reports: [ScenarioReport] = []
        for run in try Scenario.runs(parsing: text, file: "site.yaml") {
            try run.checkPlayable(at: party)
            reports.append(try await runner.run(run))
        }
        return reports
    }

    @Test func theCheckTakesTheFirst() async throws {
        try await Self.withServer(["ada@example.com", "bob@example.com"]) { party in
            let findings = try await Parties.check(party)
            // The server needs no token, so that its description has none.
            #expect(findings.subjects(.works) == PartyFinding.Subject.allCases.filter { $0 != .csrf }, "\(findings)")
            #expect(findings.subjects(.skipped) == [.csrf])
            #expect(findings.first?.detail == "ada@example.com")
        }
    }

    @Test func eachNameOfAScenarioTakesAnother() async throws {
        let text = """
            name: Two users
            devices: { phone: pixel-fingerprint }
            steps:
              - create-account: first
              - register
              - sign-out
              - create-account: ada@example.com
              - register
              - sign-out
              - sign-in: { account: first, expect: { body: { /session/user/username: bob@example.com } } }
              - sign-out
              - sign-in: { account: ada@example.com, expect: { body: { /session/user/username: ada@example.com } } }
            """
        // "first" takes the first account, and the own name the account with this name.
        try await Self.withServer(["bob@example.com", "ada@example.com"]) { party in
            for report in try await play(text, at: party) {
                #expect(report.passed, "\(report.steps.flatMap(\.mismatches))")
            }
        }
    }

    @Test func tooFewAccountsAreAMistakeWithTheStepsLine() throws {
        let text = """
            name: Two users
            devices: { phone: pixel-fingerprint }
            steps:
              - create-account: first
              - create-account: first
              - create-account: second
            """
        let party = try Self.party(80, accounts: ["ada@example.com"])
        let run = try #require(try Scenario.runs(parsing: text, file: "site.yaml").first)
        let error = #expect(throws: SourceError.self) { try run.checkPlayable(at: party) }
        #expect(error?.line == 6)
        #expect(
            error?.message.contains("1 account is listed under existing-accounts, and the run needs 2; add one") == true
        )
    }

    @Test func aPasswordOfAStepHasNoEffect() throws {
        let text = """
            name: A user
            devices: { phone: pixel-fingerprint }
            steps:
              - create-account: { name: ada@example.com, password: another password }
            """
        let party = try Self.party(80, accounts: ["ada@example.com"])
        let run = try #require(try Scenario.runs(parsing: text, file: "site.yaml").first)
        let error = #expect(throws: SourceError.self) { try run.checkPlayable(at: party) }
        #expect(error?.line == 4 && error?.message.contains("has the passwords; remove password") == true)
    }

    @Test func aSecondAccountThatIsMissingIsAnErrorWithTheDescriptionsLine() async throws {
        try await Self.withServer(["ada@example.com"]) { party in
            let session = PartySession(party, accounts: PartyAccounts(party, tag: "t"))
            let isMade = try await session.makeAccount("one", userAgent: "test")
            #expect(isMade)
            #expect(session.accountName("one") == "ada@example.com")
            let error = await #expect(throws: PartyError.self) {
                try await session.makeAccount("two", userAgent: "test")
            }
            #expect(error?.description.contains("rp.yaml:") == true, "\(error.map(\.description) ?? "")")
            #expect(error?.description.contains("the run needs 2; add one") == true)
        }
    }

    /// A case that needs a second account takes the other one; with one account the case does not apply.
    @Test(arguments: [(2, Verdict.passed), (1, .notApplicable)])
    func aCaseWithTwoAccountsTakesAnother(count: Int, verdict: Verdict) async throws {
        let accounts = Array(["ada@example.com", "bob@example.com"].prefix(count))
        try await Self.withServer(accounts) { party in
            let needing = RelyingPartySuite.all.cases.first { $0.needs == [.accounts] }
            let id = try #require(needing?.description.id)
            let bench = try await RelyingPartyBench.open(party)
            let run = ConformanceRun(RelyingPartySuite.all, on: bench, permission: RunPermission()) { .zero }
            var selection = CaseSelection()
            selection.identifiers = [id]
            let results = try await run.results(of: selection).uninterrupted()
            #expect(results.map(\.verdict) == [verdict], "\(results)")
        }
    }
}
