import Tables
import Testing

@Suite struct TextTableTests {
    private static func table(_ rows: [[String]], headings: [String] = ["NAME", "MEANING"]) -> TextTable {
        var table = TextTable(headings)
        for row in rows { table.add(row) }
        return table
    }

    /// Tables and their lines in a width.
    static let layouts: [(name: String, headings: [String], rows: [[String]], width: Int?, lines: [String])] = [
        (
            "without a width, every row is one line", ["NAME", "MEANING"],
            [["one", "the first of the numbers"], ["three", "the third"]], nil,
            [
                "NAME   MEANING",
                "one    the first of the numbers",
                "three  the third",
            ]
        ),
        (
            "a table that fits stays as it is", ["NAME", "MEANING"], [["one", "the first"]], 15,
            ["NAME  MEANING", "one   the first"]
        ),
        (
            "the last column breaks and hangs", ["NAME", "MEANING"], [["one", "the first of the numbers"]], 20,
            [
                "NAME  MEANING",
                "one   the first of",
                "      the numbers",
            ]
        ),
        (
            "a word that is too long is not broken", ["NAME", "MEANING"], [["one", "a supercalifragilistic word"]], 16,
            [
                "NAME  MEANING",
                "one   a",
                "    supercalifragilistic",
                "      word",
            ]
        ),
        (
            "a long name moves the rest of its row down", ["NAME", "MEANING"],
            [
                ["a", "one two three four"], ["b", "one two three four"], ["c", "one two three four"],
                ["a-very-long-name", "five"],
            ], 26,
            [
                "NAME  MEANING",
                "a     one two three four",
                "b     one two three four",
                "c     one two three four",
                "a-very-long-name",
                "      five",
            ]
        ),
        (
            "a middle column breaks, too", ["ID", "VALUE", "MEANING"],
            [["x", "alpha, beta, gamma, delta", "the letters it knows"], ["y", "7", "how many"]], 30,
            [
                "ID  VALUE         MEANING",
                "x   alpha, beta,  the letters",
                "    gamma, delta  it knows",
                "y   7             how many",
            ]
        ),
        (
            "empty cells take no line", ["A", "B", "C"], [["", "x", ""], ["one", "", "two three four"]], 13,
            [
                "A    B  C",
                "     x",
                "one     two",
                "        three",
                "        four",
            ]
        ),
        (
            "columns without room for their longest words become blocks", ["NAME", "CODE", "MEANING"],
            [["lockout", "BIOMETRIC_ERROR_LOCKOUT", "too many failures"], ["success", "", "verified"]], 30,
            [
                "lockout",
                "    CODE",
                "    BIOMETRIC_ERROR_LOCKOUT",
                "    MEANING  too many failures",
                "success",
                "    MEANING  verified",
            ]
        ),
        (
            "an indent stays", ["A", "B"], [["  one, two three four", "x"], ["  y", "five"]], 16,
            [
                "A              B",
                "  one, two three",
                "  four         x",
                "  y         five",
            ]
        ),
        ("one column", ["WORDS"], [["one two three"]], 9, ["WORDS", "one two", "three"]),
        ("no headings", [], [["kind", "phone"], ["title", "a phone"]], 40, ["kind   phone", "title  a phone"]),
        (
            "wide characters count twice, combining marks not at all", ["NAME", "WHAT"],
            [["日本", "x"], ["e\u{301}te\u{301}", "x"], ["한국어", "x"], ["👍🏽", "x"]], nil,
            [
                "NAME    WHAT",
                "日本    x",
                "e\u{301}te\u{301}     x",
                "한국어  x",
                "👍🏽      x",
            ]
        ),
        (
            "wide characters break by the columns they take", ["A", "B"], [["x", "日本 日本 日本"]], 12,
            ["A  B", "x  日本 日本", "   日本"]
        ),
    ]

    @Test(arguments: layouts.indices)
    func aTableFitsItsWidth(index: Int) {
        let layout = Self.layouts[index]
        let table = Self.table(layout.rows, headings: layout.headings)
        #expect(table.lines(width: layout.width) == layout.lines, "\(layout.name)")
    }

    @Test(arguments: 1...90)
    func noWordIsBrokenAndNoLineIsTooLongUnlessAWordIs(width: Int) {
        let rows = [
            ["remainingDiscoverableCredentials", "100", "how many more passkeys fit, at the least"],
            ["aaguid", "a25342c0-3cdc-4414-8e46-f4807fca511c", "the model"],
            ["versions", "U2F_V2, FIDO_2_0, FIDO_2_1_PRE, FIDO_2_1", "the protocols it speaks"],
        ]
        let lines = Self.table(rows, headings: ["MEMBER", "VALUE", "MEANING"]).lines(width: width)
        let words = Set(lines.flatMap { $0.split(separator: " ") })
        for row in rows {
            for word in row.flatMap({ $0.split(separator: " ") }) { #expect(words.contains(word), "\(word)") }
        }
        for line in lines where line.displayWidth > width {
            #expect(line.split(separator: " ").count == 1 && line.prefix { $0 == " " }.count <= 4, "\(line)")
        }
    }

    @Test func notesAndHeadingsStandAcrossTheColumns() {
        var table = TextTable("NAME", "MEANING")
        table.add(heading: "Numbers")
        table.add("one", "the first")
        table.add(note: "  a note that is longer than the table")
        #expect(
            table.lines(width: 20, heading: { "*" + $0 }) == [
                "*NAME  MEANING", "*Numbers", "one   the first", "  a note that is", "  longer than the", "  table",
            ])
        #expect(table.lines(width: nil).last == "  a note that is longer than the table")
    }

    @Test func noLineEndsWithBlanks() {
        let table = Self.table([["one  ", ""], ["two", "x "]], headings: ["NAME", ""])
        #expect(table.lines(width: nil) == ["NAME", "one", "two   x"])
    }
}

@Suite struct ParagraphTests {
    @Test(arguments: [
        ("one two three", nil, 0, ["one two three"]),
        ("one two three", 20, 0, ["one two three"]),
        ("one two three", 8, 0, ["one two", "three"]),
        ("one two three", 8, 2, ["one two", "  three"]),
        ("ok   a9  the signature holds", 22, 9, ["ok   a9  the signature", "         holds"]),
        ("label  extraordinarily", 14, 7, ["label  extraordinarily"]),
        ("id:  one a-long-identifier x", 20, 5, ["id:  one", "   a-long-identifier", "     x"]),
        ("one\ntwo three", 5, 0, ["one", "two", "three"]),
        ("extraordinarily long", 5, 0, ["extraordinarily", "long"]),
        ("  indented text", 10, 2, ["  indented", "  text"]),
        ("\u{1B}[32mok\u{1B}[0m done", 7, 0, ["\u{1B}[32mok\u{1B}[0m done"]),
        ("", 5, 0, [""]),
    ])
    func textBreaksAtSpaces(text: String, width: Int?, hanging: Int, lines: [String]) {
        #expect(Paragraph.lines(text, width: width, hanging: hanging) == lines)
    }
}
