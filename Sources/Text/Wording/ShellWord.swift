extension Wording {
    /// A word of a command line, in quotes where a shell would take it apart.
    package static func shellWord(_ text: String) -> String {
        let isPlain = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber) || "._-+,:/@%=".contains(character)
        }
        guard text.isEmpty || !text.allSatisfy(isPlain) else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
