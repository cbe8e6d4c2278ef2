import Documents
import Testing

@Suite("Mistakes in JSON")
struct JSONMistakeTests {
    @Test(
        "A mistake is named with its line, its column and its member",
        arguments: [
            ("", "line 1, column 1: the text is empty; give a JSON value"),
            ("{\"a\": 1", "line 1, column 8: the object that begins in line 1 has no closing }"),
            ("{\"a\": 1 \"b\": 2}", "line 1, column 9: a comma is missing before this"),
            ("[1 2]", "line 1, column 4: a comma is missing before this"),
            ("{\"a\": 1,}", "line 1, column 9: a comma stands before the closing }; remove it"),
            ("[1,]", "line 1, column 4: a comma stands before the closing ]; remove it"),
            ("{,}", "line 1, column 2: a comma is too many; remove it"),
            ("{\"a\" 1}", "line 1, column 6, in `a`: a colon is missing after the name"),
            ("{'a': 1}", "line 1, column 2: names stand in double quotation marks, not in single ones"),
            ("{\"a\": 'b'}", "line 1, column 7, in `a`: texts stand in double quotation marks"),
            ("{id: 1}", "line 1, column 2: a name in double quotation marks is expected; the output of console.log"),
            (
                "{\n \"a\": {\n  \"b\": [1, 2\n }\n}",
                "line 4, column 2, in `a.b`: a comma or the closing ] of the array"
            ),
            ("{\"a\": [{\"b\": undefined}]}", "line 1, column 14, in `a[0].b`: JSON has no undefined; write null"),
            ("{\"a\": True}", "line 1, column 7, in `a`: True is Python's; write true"),
            ("{\"a\": None}", "line 1, column 7, in `a`: None is Python's; write null"),
            ("{\"a\": [Object]}", "line 1, column 8, in `a[0]`: this is not JSON but what a console shows"),
            ("{\"a\": <Buffer 01>}", "line 1, column 7, in `a`: this is not JSON but what a console shows"),
            ("{\"a\": 1, // x\n}", "line 1, column 10: JSON has no comments; remove it"),
            ("{\"a\": }", "line 1, column 7, in `a`: a value is missing"),
            ("{\"a\": 01}", "line 1, column 7, in `a`: 01 is not a number in JSON"),
            ("{\"a\": 1.}", "line 1, column 7, in `a`: 1. is not a number in JSON"),
            ("{\"a\": \"x\n\"}", "line 1, column 9, in `a`: a text contains a line break"),
            ("{\"a\": \"\\q\"}", "line 1, column 8, in `a`: the escape does not exist in JSON"),
            ("{\"a\": \"\\u12\"}", "line 1, column 8, in `a`: four hexadecimal digits are missing"),
            ("{\"a\": \"x", "line 1, column 7, in `a`: the text has no closing quotation mark"),
            ("{} {}", "line 1, column 4: more text follows after the value"),
            ("{\"é\": x}", "line 1, column 7, in `é`: x is not a value"),
        ])
    func mistakes(text: String, says: String) {
        let mistake = JSONMistake(in: Array(text.utf8)).map(\.description) ?? ""
        #expect(mistake.hasPrefix(says), "\(mistake)")
    }

    @Test(arguments: [
        "{}", "[]", "null", " \"\" ", "{\"a\":1e5,\"b\":-0.5E-3,\"c\":[[],{}],\"e\":\"\\u00e9\\n\"}", "-0",
    ])
    func jsonHasNone(text: String) { #expect(JSONMistake(in: Array(text.utf8)) == nil) }

    @Test func deepNestingEndsTheWalk() {
        let mistake = JSONMistake(in: Array(repeating: UInt8(ascii: "["), count: 1_000_000))
        #expect(mistake?.message.hasPrefix("more than 512 values") == true)
    }

    @Test func aMemberHasItsPlace() {
        let text = Array("{\n \"a\": [1, {\"b\": 2}]}".utf8)
        #expect(JSONPlace(of: ["a", "1", "b"], in: text).map(\.description) == "line 2, column 17")
        #expect(JSONPlace(of: ["a", "2"], in: text) == nil)
    }
}
