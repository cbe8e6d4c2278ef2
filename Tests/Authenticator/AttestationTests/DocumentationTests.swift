import Attestation
import Foundation
import TestSupport
import Testing
import WebAuthn

/// The handbook's table of kinds.
struct DocumentationTests {
    private let lines: [String]

    init() throws {
        let file = PackageRoot.url.appending(path: "docs/attestation.md")
        lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// The rows under a heading row.
    private func rows(under heading: String) throws -> [String] {
        let start = try #require(lines.firstIndex { $0.hasPrefix(heading) })
        return Array(lines[(start + 2)...].prefix { $0.hasPrefix("|") })
    }

    @Test func theHandbookListsEveryKind() throws {
        let rows = try rows(under: "| kind ")
        #expect(rows.count == AttestationKind.allCases.count)
        for (kind, row) in zip(AttestationKind.allCases, rows) {
            #expect(row.hasPrefix("| `\(kind.rawValue)` | \(kind.format) | "))
        }
    }
}
