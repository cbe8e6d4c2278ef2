import Testing

@testable import Scenarios

/// The checks of pages against WCAG 2.2 AA, as far as a page's text shows it.
@Suite struct PageAuditTests {
    private static let good = """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Sign in</title>
        <meta name="viewport" content="width=device-width, initial-scale=1"></head><body><main><!-- <h6> -->
        <h1>Sign in</h1><form><label for="name">User name</label><input id="name" name=name required>
        <label>Password <input type="password" name="password" autocomplete="current-password"></label>
        <fieldset><legend>As</legend><label><input type="radio" name="who" value="1"> Kari</label></fieldset>
        <input type="hidden" name="request"><button>Sign in</button></form><h2>Help</h2><a href="/help">Help</a>
        <script>if (a < b) document.title = "<h5>"</script></main></body></html>
        """

    @Test func aGoodPageHasNoProblem() {
        #expect(PageAudit.problems(of: Self.good) == [])
    }

    @Test(arguments: [
        (" lang=\"en\"", "", "3.1.1"), ("<title>Sign in</title>", "<title></title>", "2.4.2"),
        ("<main>", "<div>", "1.3.1 the page needs one main"), ("<h1>Sign in</h1>", "", "1.3.1 the first heading"),
        ("<h2>Help</h2>", "<h3>Help</h3>", "1.3.1 a heading h3 follows h1"),
        ("<h2>", "<h2 id=\"name\">", "1.3.1 the id name occurs twice"),
        ("<button>Sign in</button>", "<button> </button>", "4.1.2 a button"), (">Help</a>", "></a>", "4.1.2 a a"),
        ("<h2>", "<img src=\"a.png\"><h2>", "1.1.1"), ("for=\"name\"", "for=\"other\"", "3.3.2 the field name"),
        ("<label>Password ", "<p>", "3.3.2 the field password"), ("fieldset>", "div>", "1.3.1 the choice who"),
        ("current-password", "off", "3.3.8 the field password"),
        ("required", "tabindex=\"3\"", "2.4.3 a input has a tab"),
        ("required", "autofocus", "2.4.3 a input takes the focus"),
        ("<meta charset=\"utf-8\">", "<meta http-equiv=\"refresh\" content=\"5\">", "2.2.1"),
        ("initial-scale=1", "user-scalable=no", "1.4.4"),
    ])
    func eachProblemIsFound(part: String, other: String, problem: String) {
        let problems = PageAudit.problems(of: Self.good.replacing(part, with: other))
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }

    private static let style = """
        :root { --text: #1b1b1f; --card: #ffffff; --line: #767683; }
        @media (prefers-color-scheme: dark) { :root { --text: #ececf1; --card: #1d1d23; --line: #8f8f9c; } }
        main { background: var(--card); color: var(--text); }
        input[type="text"] { border: 1px solid var(--line); background: var(--card); color: var(--text); }
        button { min-height: 2.75rem; color: #ffffff; background: #0b57d0; }
        :focus-visible { outline: 3px solid var(--text); }
        """

    @Test func aGoodStyleSheetHasNoProblem() {
        #expect(StyleAudit.problems(of: Self.style) == [])
        #expect(StyleAudit.problems(of: "<p>no style</p>") == ["the answer is not a style sheet"])
    }

    @Test(arguments: [
        ("--text: #ececf1", "--text: #555555", "1.4.3 main has too little contrast, dark"),
        ("--text: #1b1b1f", "--text: #aaaaaa", "1.4.3 main has too little contrast, light"),
        (
            "--line: #767683", "--line: #dddddd",
            "1.4.11 the edge of input[type=\"text\"] has too little contrast, light"
        ),
        ("background: #0b57d0", "background: #eeeeee", "1.4.3 button has too little contrast, light"),
        ("3px solid var(--text)", "none", "2.4.7"), ("2.75rem", "1rem", "2.5.8"),
    ])
    func eachProblemOfAStyleSheetIsFound(part: String, other: String, problem: String) {
        let problems = StyleAudit.problems(of: Self.style.replacing(part, with: other))
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }
}
