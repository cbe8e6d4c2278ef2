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
        "official": OfficialMarkdown.page([
            (
                AuthenticatorSuite.all.official.module,
                AuthenticatorSuite.all.official.coverage(by: AuthenticatorSuite.all.catalogue.flatMap(\.cases))
            ),
            (
                RelyingPartySuite.all.official.module,
                RelyingPartySuite.all.official.coverage(by: RelyingPartySuite.all.catalogue.flatMap(\.cases))
            ),
        ]),
    ]

    @Test(
        "docs/conformance is what `touchstone conformance list SUITE --markdown` and `list --official --markdown` print",
        arguments: pages.keys.sorted()
    )
    func isCurrent(suite: String) throws {
        let file = PackageRoot.url.appending(path: "docs/conformance/\(suite).md")
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.pages[suite])
    }
}
