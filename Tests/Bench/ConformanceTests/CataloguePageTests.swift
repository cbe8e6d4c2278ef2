import AuthenticatorSuite
import Conformance
import Foundation
import RelyingPartySuite
import TestSupport
import Testing

/// The pages of the documentation that list the cases.
@Suite("Pages of the catalogue")
struct CataloguePageTests {
    private static let pages = [
        "authenticator": CatalogueMarkdown.page(
            title: "Conformance cases of authenticators", AuthenticatorSuite.all.catalogue),
        "relying-party": CatalogueMarkdown.page(
            title: "Conformance cases of relying parties", RelyingPartySuite.all.catalogue),
    ]

    @Test(
        "docs/conformance is what `touchstone conformance list SUITE --markdown` prints", arguments: pages.keys.sorted()
    )
    func isCurrent(suite: String) throws {
        let file = PackageRoot.url.appending(path: "docs/conformance/\(suite).md")
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.pages[suite])
    }
}
