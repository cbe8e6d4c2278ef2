import AuthenticatorSuite
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

    @Test func titlesAreSentences() {
        for single in Self.cases {
            #expect(single.title.hasSuffix(".") && single.title.first?.isUppercase == true, "\(single.id)")
        }
    }
}
