import Documents
import Testing
import YAMLFiles

@Suite("Mistakes in YAML")
struct YAMLMistakeTests {
    @Test(
        "A mistake says what is likely",
        arguments: [
            ("name: A\n\turl: b\n", 2, "the line is indented with a tab; use spaces"),
            ("a:\n  b: 1\n\t c: 2\n", 3, "the line is indented with a tab"),
            ("name: A\nurl:http\norigin: x\n", 3, "a blank is missing after the colon of `url` in line 2"),
            ("name:A\nurl: b\n", 2, "a blank is missing after the colon of `name` in line 1"),
            ("a: 1\n  b: 2\n", 2, "a second colon, or a deeper indentation than that of the line above"),
            ("about: it is: so\n", 1, "a second colon, or a deeper indentation"),
            ("a:\n    b: 1\n  c: 2\n", 3, "the indentation fits no line above"),
            (
                "name: \"A\" b\n", 1,
                "the indentation fits no line above, or a text goes on after its closing quotation mark"
            ),
            ("name: \"A\nurl: b\n", 3, "the text that begins in line 1 has no closing quotation mark; add it"),
            ("a: [1, 2\nb: 3\n", 2, "a comma or the closing ] of a list is missing"),
            ("a: { b: 1\nc: 2\n", 2, "a comma or the closing } of a mapping is missing"),
            ("a: @b\n", 1, "a text begins with a character that has a meaning in YAML"),
            ("a: !x!y b\n", 1, "a text begins with !, which has a meaning in YAML"),
            ("a: \"\\q\"\n", 1, "the escape does not exist"),
            ("a: - b\n", 1, "a list begins in the line of its key"),
            ("a: *\n", 1, "a text begins with & or *, which have a meaning in YAML"),
            ("a: \u{1}b\n", 1, "the text contains a control character"),
            ("a:\n  - b\n  c: d\n", 3, "the line stands where the next item of a list is expected"),
            ("{a: 1,, b: 2}\n", 1, "a value is missing before this"),
            ("name: A\nfoo\nbar: 1\n", 3, "a colon and a blank are missing after a key"),
            ("a: | text\n  b\n", 1, "a text of several lines begins in the line below its | or >"),
        ])
    func mistakes(text: String, line: Int, says: String) {
        let error = #expect(throws: SourceError.self) { try YAMLValue.parse(text, file: "f.yaml") }
        #expect(error?.line == line)
        #expect(error?.message.hasPrefix("not YAML: \(says)") == true, "\(error?.message ?? "")")
    }
}
