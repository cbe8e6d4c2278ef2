import Foundation
import MutationTables
import Testing

/// Finds the rows of new changes.
///
/// `TOUCHSTONE_MUTATION_SEARCH` names a file with a change a line, and a profile after a tab where it is not the usual one.
/// The rows go into the file of that name and `.yaml`.
@Suite("Search for cases", .serialized)
struct ChangeSearch {
    static let path = ProcessInfo.processInfo.environment["TOUCHSTONE_MUTATION_SEARCH"]

    @Test(.enabled(if: path != nil)) func theWholeSuiteRunsWithEachChange() async throws {
        let path = try #require(Self.path)
        var rows: [MutationTable.Row] = []
        var usual: [String: [String]] = [:]
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let fields = line.split(separator: "\t").map(String.init)
            var row = MutationTable.Row(mutation: fields[0])
            row.profile = fields.count > 1 ? fields[1] : nil
            let profile = row.profile ?? ChangedAuthenticator.usualProfile
            if usual[profile] == nil { usual[profile] = try await ChangedAuthenticator.red(nil, on: profile, of: []) }
            row.red = try await ChangedAuthenticator.red(try AuthenticatorChange(fields[0]), on: profile, of: [])
                .filter { usual[profile]?.contains($0) == false }
            rows.append(row)
            try Data(MutationTable(rows: rows).text.utf8).write(to: URL(filePath: path + ".yaml"))
        }
    }
}
