import Tables
import Testing

/// Names of strangers on a terminal.
struct TerminalTextTests {
    @Test(
        "Every character that a terminal obeys is shown as its number",
        arguments: [
            ("plain é 🔑 \t text", "plain é 🔑 \t text"), ("a\u{1B}]0;title\u{7}b", "a\\u001B]0;title\\u0007b"),
            ("\u{1B}[2J\u{1B}[H", "\\u001B[2J\\u001B[H"), ("a\rb\u{8}\u{7F}", "a\\u000Db\\u0008\\u007F"),
            ("\u{9B}31m\u{90}q\u{9C}", "\\u009B31m\\u0090q\\u009C"), ("a\r\nb", "a\\u000D\\u000Ab"),
            ("evil\u{202E}gpj.exe\u{2066}", "evil\\u202Egpj.exe\\u2066"), ("a\u{2028}b", "a\\u2028b"),
            ("ada\u{200B} ada\u{AD} ada\u{2060} ada\u{FEFF}", "ada\\u200B ada\\u00AD ada\\u2060 ada\\uFEFF"),
            ("ada\u{61C}\u{200F}\u{206A}\u{FFF9}", "ada\\u061C\\u200F\\u206A\\uFFF9"),
            ("👩‍👩‍👧 می‌خواهم 🏴\u{E0067}\u{E007F}", "👩‍👩‍👧 می‌خواهم 🏴\u{E0067}\u{E007F}"),
            // A style that the program uses itself, and one that hides text.
            ("\u{1B}[31mred\u{1B}[0m \u{1B}[8mhidden", "\\u001B[31mred\\u001B[0m \\u001B[8mhidden"),
            ("\u{1B}", "\\u001B"), ("\u{1B}[3", "\\u001B[3"),
        ])
    func escaping(text: String, shown: String) {
        #expect(TerminalText.escaped(text) == shown)
    }

    @Test func everyControlCharacterIsEscaped() {
        for value in UInt32(0)...0x9F where value != 9 && !(0x20...0x7E).contains(value) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = TerminalText.escaped("a\(Character(scalar))b", keepsStyles: false)
            #expect(shown.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }, "\(value)")
        }
    }

    @Test func linesAndStylesStayOnlyWhereTheyMay() {
        #expect(TerminalText.escaped("a\nb", keepsLines: true) == "a\nb")
        #expect(TerminalText.escaped("a\nb") == "a\\u000Ab")
        let styled = TerminalText.styled("x", .bold)
        #expect(TerminalText.escaped(styled) == styled)
        #expect(TerminalText.shown(styled) == "\u{1B}[1mx\u{1B}[0m")
        #expect(styled.displayWidth == 1)
        #expect(!TerminalText.shown(TerminalText.escaped(styled, keepsStyles: false)).contains("\u{1B}"))
    }

    @Test func aCellStaysInItsRow() {
        var table = TextTable("NAME", "STATE")
        table.add("a\nNAME  STATE\u{1B}[1A", "on")
        #expect(
            table.lines(width: nil) == ["NAME                         STATE", "a\\u000ANAME  STATE\\u001B[1A  on"])
    }
}
