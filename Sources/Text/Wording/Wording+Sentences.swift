extension String {
    /// `tooFast` as `too-fast`.
    package var hyphenated: String { map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined() }
}

extension Wording {
    /// A noun with its indefinite article: `an array`, `a map`.
    package static func article(_ noun: String) -> String {
        (noun.first.map { "aeiouAEIOU".contains($0) } ?? false ? "an " : "a ") + noun
    }

    /// A text as a sentence: with a period, unless it ends with a mark of its own.
    package static func sentence(_ text: String) -> String {
        text.last.map { ".?!".contains($0) } ?? true ? text : text + "."
    }
}
