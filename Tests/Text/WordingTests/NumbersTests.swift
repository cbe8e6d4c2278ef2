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
        (Duration.zero, "0 s"), (.microseconds(1), "0 ms"), (.milliseconds(500), "500 ms"), (.seconds(30), "30 s"),
        (.seconds(90), "90 s"),
        (.seconds(900), "15 min"),
        (.seconds(172_800), "48 h"),
    ])
    func aSpanIsInItsLargestUnit(span: Duration, text: String) {
        #expect(Wording.span(span) == text)
    }

    @Test(arguments: [
        (Duration.zero, "00:00:00.000"), (.seconds(34_860) + .milliseconds(250), "09:41:00.250"),
        (.seconds(86_399) + .microseconds(999_999), "23:59:59.999"), (.seconds(1_700_000_000), "22:13:20.000"),
        (.milliseconds(-1), "23:59:59.999"),
    ])
    func aTimeOfDayIsInUTCToTheMillisecond(time: Duration, text: String) {
        #expect(Wording.timeOfDay(time) == text)
    }
}
