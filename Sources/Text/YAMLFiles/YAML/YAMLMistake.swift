/// A violation of YAML's syntax, as libyaml reports it, and its likely cause in words.
struct YAMLMistake {
    /// libyaml's own words.
    let problem: String?
    /// The part that libyaml was reading, in its own words.
    let context: String?
    /// The line and the column of the problem, counted from 0.
    let line: Int
    let column: Int
    /// The line in which the part that libyaml was reading begins, counted from 0.
    let contextLine: Int

    /// The mistake, and what to do.
    func words(in lines: [String]) -> String {
        guard let problem else { return "the memory is full" }
        let own = lines.indices.contains(line) ? lines[line] : ""
        if own.prefix(while: \.isWhitespace).contains("\t") {
            return "the line is indented with a tab; use spaces"
        }
        // libyaml notices a missing blank only in the line after it.
        let near = Set([contextLine, line - 1, line]).sorted().filter(lines.indices.contains)
        if Self.ofStructure.contains(problem) {
            for each in near {
                guard let match = lines[each].wholeMatch(of: /\s*(?:- )?([A-Za-z][\w-]*):[^\s:\/].*/) else { continue }
                return "a blank is missing after the colon of `\(match.1)` in line \(each + 1)"
            }
        }
        if problem == "found unexpected end of stream", context?.contains("quoted scalar") == true {
            return "the text that begins in line \(contextLine + 1) has no closing quotation mark; add it"
        }
        return Self.words[problem] ?? "\(problem); check the indentation, colons and quotation marks of this line"
    }

    /// The problems that a missing blank after a colon leads to.
    private static let ofStructure: Set = [
        "could not find expected ':'", "did not find expected key", "mapping values are not allowed in this context",
        "did not find expected <document start>", "did not find expected '-' indicator",
    ]

    /// The likely causes, by libyaml's words.
    private static let words = [
        "could not find expected ':'":
            "a colon and a blank are missing after a key; a text of several lines needs a deeper indentation than its key",
        "did not find expected key":
            "the indentation fits no line above, or a text goes on after its closing quotation mark; indent the keys of a "
            + "mapping alike, and put a text with quotation marks or a colon into quotation marks",
        "mapping values are not allowed in this context":
            "a second colon, or a deeper indentation than that of the line above; put a text with a colon into quotation "
            + "marks, and indent the keys of a mapping alike",
        "did not find expected '-' indicator":
            "the line stands where the next item of a list is expected; begin it with `- `, or correct its indentation",
        "did not find expected ',' or ']'": "a comma or the closing ] of a list is missing",
        "did not find expected ',' or '}'": "a comma or the closing } of a mapping is missing",
        "did not find expected node content": "a value is missing before this, or a bracket or a comma is too many",
        "did not find expected <document start>":
            "the text goes on after its end; correct the indentation of this line, or remove it",
        "block sequence entries are not allowed in this context":
            "a list begins in the line of its key; begin it in the next line, or write it as [one, two]",
        "found character that cannot start any token":
            "a text begins with a character that has a meaning in YAML, such as @, ` or %; put it into quotation marks",
        "found unexpected end of stream": "the file ends inside a value; its end is missing",
        "found unexpected document indicator": "a line of three hyphens or dots stands inside a text; indent it",
        "found unknown escape character":
            "the escape does not exist; write \\\\ for a backslash, or single quotation marks around the text",
        "control characters are not allowed": "the text contains a control character; remove it",
        "invalid leading UTF-8 octet": "the file is not UTF-8; save it as UTF-8",
        "invalid trailing UTF-8 octet": "the file is not UTF-8; save it as UTF-8",
        "found undefined tag handle": "a text begins with !, which has a meaning in YAML; put it into quotation marks",
        "did not find expected alphabetic or numeric character":
            "a text begins with & or *, which have a meaning in YAML; put it into quotation marks",
        "did not find expected comment or line break":
            "a text of several lines begins in the line below its | or >; move the rest of this line there",
    ]
}
