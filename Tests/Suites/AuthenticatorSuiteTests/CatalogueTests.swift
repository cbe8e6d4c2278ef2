import AuthenticatorSuite
import CTAP
import Conformance
import Testing

/// The catalogue of the suite.
struct CatalogueTests {
    private static let cases = AuthenticatorSuite.all.cases.map(\.description)

    @Test func identifiersAreUnique() {
        let counts = Dictionary(Self.cases.map { ($0.id, 1) }, uniquingKeysWith: +)
        #expect(counts.filter { $0.value > 1 }.keys.sorted() == [])
    }

    @Test func identifiersBeginWithTheirGroup() {
        for group in AuthenticatorSuite.all.catalogue {
            for single in group.cases {
                #expect(single.group == group.name, "\(single.id)")
                #expect(single.id.wholeMatch(of: /[a-zA-Z0-9]+(\.[a-zA-Z0-9-]+)+/) != nil, "\(single.id)")
            }
        }
    }

    /// Names of the specification that begin with a small letter.
    private static let names = Set(
        InfoMember.allCases.map(\.name) + [
            "authData", "credBlob", "epAtt", "fmt", "getInfo", "hmac-secret-mc", "largeBlobKey", "largeBlobs",
            "numberOfCredentials", "userSelected", "x5c",
        ])

    @Test func titlesAreSentences() {
        for single in Self.cases {
            let first = String(single.title.prefix { $0 != " " })
            #expect(first.first?.isUppercase == true || Self.names.contains(first), "\(single.id)")
            #expect(single.title.hasSuffix("."), "\(single.id)")
        }
    }
}
