import DeviceProfiles
import Faults
import Foundation
import MutationTables
import Mutations
import TestSupport
import Testing
import VirtualAuthenticator

/// Single changes inside the authenticator, faults and known defects of real keys: the cases of the change's clause turn
/// red.
@Suite("Mutations of the authenticator", .serialized)
struct AuthenticatorMutationTests {
    static let files = ["refusals", "messages", "behaviours", "faults", "quirks"]

    static func url(_ name: String) throws -> URL {
        try #require(Bundle.module.url(forResource: name, withExtension: "yaml", subdirectory: "Tables"))
    }

    static func table() throws -> MutationTable { try MutationTable(try files.map(url)) }

    static let caught = (try? table().caught) ?? []

    /// The changes that a test process can make.
    private static let mutations =
        RefusalMutation.identifiers + MessageMutation.identifiers + AuthenticatorMutation.identifiers

    @Test func theTablesHaveEachChangeOnce() throws {
        let table = try Self.table()
        let names = table.rows.map(\.mutation)
        #expect(Set(names).count == names.count)
        let mutations = names.filter { !$0.hasPrefix("fault.") && !$0.hasPrefix("quirk.") }
        #expect(Set(mutations) == Set(Self.mutations))
        let faults = try names.filter { $0.hasPrefix("fault.") }.map {
            try Fault(parsing: String($0.dropFirst("fault.".count))).name
        }
        #expect(Set(faults) == Set(Fault.catalogue.map(\.name)))
        let profiles = try ChangedAuthenticator.library.files().map(ProfileLibrary.read)
            .filter { !$0.faults.isEmpty }.map(\.name)
        #expect(Set(names.filter { $0.hasPrefix("quirk.") }) == Set(profiles.map { "quirk.\($0)" }))
        #expect(table.undecided == [])
    }

    @Test func theSuiteNoticesAlmostEveryChange() throws {
        let table = try Self.table()
        #expect(table.changes.count >= 200)
        #expect(table.score >= 0.95)
    }

    @Test func theUnchangedAuthenticatorPassesTheCasesOfTheTables() async throws {
        for (profile, rows) in Dictionary(
            grouping: Self.caught, by: { $0.profile ?? ChangedAuthenticator.usualProfile })
        {
            let red = try await ChangedAuthenticator.red(nil, on: profile, of: Array(Set(rows.flatMap(\.red))))
            #expect(red == [], "\(profile)")
        }
    }

    @Test("The cases of the clause turn red", .timeLimit(.minutes(2)), arguments: caught.map(\.mutation))
    func theCasesOfTheClauseTurnRed(mutation: String) async throws {
        let row = try #require(Self.caught.first { $0.mutation == mutation })
        let red = try await ChangedAuthenticator.red(
            try AuthenticatorChange(mutation), on: row.profile ?? ChangedAuthenticator.usualProfile, of: row.red)
        #expect(row.red.filter { !red.contains($0) } == [])
    }

    @Test func thePageShowsTheTables() throws {
        let page = try Self.table().page(
            title: "Mutations of the authenticator", subject: "virtual authenticator",
            suite: "the suite for authenticators",
            remark: "\nA row names up to six cases. A change is made on `\(ChangedAuthenticator.usualProfile)` "
                + "where the tables in `Tests/Bench/AuthenticatorMutationTests` name no other profile.")
        let file = PackageRoot.url.appending(path: "docs/conformance/authenticator-mutations.md")
        if let path = ProcessInfo.processInfo.environment["TOUCHSTONE_MUTATION_PAGE"] {
            try Data(page.utf8).write(to: URL(filePath: path))
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == page)
    }
}
