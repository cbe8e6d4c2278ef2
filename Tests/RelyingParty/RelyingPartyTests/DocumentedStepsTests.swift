import Foundation
import TestSupport
import Testing
import WebAuthn

/// The table of verification steps in docs/relying-party.md.
struct DocumentedStepsTests {
    @Test func theDocumentationListsEveryStepWithItsTitleAndClause() throws {
        let page = try String(contentsOf: PackageRoot.url.appending(path: "docs/relying-party.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.contains(#/^\| `[ra]\d+` /#) }.map(String.init)
        let steps = VerificationStep.allCases.map { step in
            "| `\(step.rawValue)` | \(step.title) | \(step.clause.replacing("WebAuthn L3 ", with: "")) |"
        }
        #expect(rows == steps)
    }
}
