import Documents
import Testing
import YAMLFiles

@Suite("YAML of another person")
struct HostileYAMLTests {
    /// Aliases within aliases, in all their places: a document of 2^30 values in a few hundred bytes.
    private static let nested =
        "a0: &a0 [x, x]\n" + (1...30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()

    @Test(
        "Anchors and aliases are refused wherever they are",
        arguments: [
            (nested, [1, 5]), (nested + "? *a30\n: 1\n", [1, 5]), ("a: 1\nb: &b {c: 1}\n", [2, 4]),
            ("a: 1\n? &b c\n: 1\n", [2, 3]), ("a:\n  - *b\n", [2, 5]), ("? *b\n: 1\n", [1, 3]),
            ("? [*b]\n: 1\n", [1, 3]),
        ])
    func anchors(text: String, at: [Int]) {
        let place = SourcePlace(file: "f", line: at[0], column: at[1])
        let refusal = place.error("YAML anchors and aliases are not allowed; repeat the value")
        let keys = place.error("keys must be plain text")
        let error = #expect(throws: SourceError.self) { try YAMLValue.parse(text, file: "f") }
        #expect(error == (text.hasPrefix("? [") ? keys : refusal))
    }

    @Test("A byte order mark at the beginning is left out", arguments: ["", "# c\n", "---\n"])
    func byteOrderMark(beginning: String) throws {
        for ending in ["\n", "\r\n"] {
            let text = beginning + ["a: 1", "b: [2]", ""].joined(separator: ending)
            let (marked, plain) = (
                try YAMLValue.parse("\u{FEFF}" + text, file: "f"), try YAMLValue.parse(text, file: "f")
            )
            #expect("\(marked)" == "\(plain)")
        }
    }

    @Test(
        "A text that costs too much is refused with its limit",
        arguments: [
            (String(repeating: "#", count: (1 << 20) + 1), "the file has more than 1048576 bytes; shorten it"),
            ("[" + String(repeating: "0,", count: 100_000) + "]", "the file has more than 100000 values; shorten it"),
            (
                String(repeating: "[", count: 60_000),
                "more than 50 lists and mappings lie within each other; flatten them"
            ),
            (
                String(repeating: "- ", count: 60_000),
                "more than 50 lists and mappings lie within each other; flatten them"
            ),
            (
                String(repeating: "{a: ", count: 60_000),
                "more than 50 lists and mappings lie within each other; flatten them"
            ),
        ])
    func limits(text: String, message: String) {
        let error = #expect(throws: SourceError.self) { try YAMLValue.parse(text, file: "f") }
        #expect(error?.message == message)
    }

    @Test(
        "A line that is indented with a tab is named as that",
        arguments: [("a:\n\tb: 1\n", 2), ("a:\n  b: 1\n \tc: 2\n", 3), ("a:\n\t- b\n", 2)])
    func tabs(text: String, line: Int) {
        let error = #expect(throws: SourceError.self) { try YAMLValue.parse(text, file: "f") }
        #expect(error?.line == line)
        #expect(error?.message == "not YAML: the line is indented with a tab; use spaces")
    }

    @Test("A long key costs its length once, not once for each value below it")
    func longKeys() throws {
        let key = String(repeating: "k", count: 500_000)
        let text = "? \(key)\n: [" + String(repeating: "0,", count: 90_000) + "]\n"
        let value = try YAMLValue.parse(text, file: "f")
        let entries = try value.entries()
        #expect(try entries.first?.value.items().last?.path == "\(key)[89999]")
    }

    @Test("A value survives being written and read")
    func writing() throws {
        let text = "a: [1, \"2\", '', ~]\n'b ': {c: \"x: y\", d: \"\\u001b\\n\"}\né: ''\n"
        let value = try YAMLValue.parse(text, file: "f")
        let again = try YAMLValue.parse(value.text(), file: "f")
        #expect(try again.text() == value.text())
        #expect(again.written(under: "a")?.itemsOrSelf().map { (try? $0.int()) ?? 0 } == [1, 0, 0, 0])
        #expect(try again.written(under: "b ")?.written(under: "d")?.string() == "\u{1B}\n")
    }
}
