import CBOR
import KnownKeys
import Testing

@Suite("getInfo in words")
struct InfoDescriptionTests {
    @Test func membersHaveTheSpecificationsNumbers() {
        #expect(InfoMember.allCases.map(\.rawValue) == Array(0x01...0x1F))
    }
}
