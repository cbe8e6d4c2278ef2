import Testing
import Wording

@Suite("Numbers with their nouns")
struct CountedTests {
    @Test func aNounFollowsItsNumber() {
        #expect(Wording.counted(0, "credential") == "0 credentials")
        #expect(Wording.counted(1, "credential") == "1 credential")
        #expect(Wording.counted(2, "credential") == "2 credentials")
    }

    @Test func aPluralCanBeIrregular() {
        #expect(Wording.counted(1, "entry", "entries") == "1 entry")
        #expect(Wording.counted(3, "entry", "entries") == "3 entries")
    }
}
