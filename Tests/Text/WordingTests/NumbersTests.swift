import Testing
import Wording

@Suite struct NumbersTests {
    @Test(arguments: [
        (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"),
        (102, "102nd"), (111, "111th"),
    ])
    func aPositionHasItsEnding(number: Int, text: String) {
        #expect(Wording.ordinal(number) == text)
    }

    @Test(arguments: [
        (Duration.milliseconds(500), "500 ms"), (.seconds(30), "30 s"), (.seconds(90), "90 s"),
        (.seconds(900), "15 min"),
        (.seconds(172_800), "48 h"),
    ])
    func aSpanIsInItsLargestUnit(span: Duration, text: String) {
        #expect(Wording.span(span) == text)
    }
}
