extension Wording {
    /// A text as a sentence: with a period, unless it ends with a mark of its own.
    package static func sentence(_ text: String) -> String {
        text.last.map { ".?!".contains($0) } ?? true ? text : text + "."
    }
}
