internal import PlatformErrors

/// Lines of programs and interfaces that the table does not have.
extension PlatformErrorSearch {
    /// The interfaces that a line can report where it names another program, such as `SQLite` or `IDBDatabase`; nil for
    /// a line that names none.
    ///
    /// A general name does not count: all interfaces of pages report DOMExceptions.
    func about(_ line: PastedLine) -> Set<String>? {
        guard elsewhere.contains(where: line.mentions) else { return nil }
        let named = ownNames.filter { $0.names.contains(where: line.mentions) }.map(\.interface)
        return Set(named + boundInterfaces(line))
    }

    /// The interfaces whose prefix a name of the line has.
    func boundInterfaces(_ line: PastedLine) -> [String] {
        line.words.compactMap { bound($0.text) }.filter { !$0.targets.isEmpty }.flatMap(\.interfaces)
    }

    /// Whether a number stands behind an error's domain that no interface has: `Domain=NSPOSIXErrorDomain Code=7`.
    func isOfOtherDomain(_ place: Int, in line: PastedLine) -> Bool {
        guard place >= 2 else { return false }
        let domain = line.words[place - 2].text
        let isDomain =
            place >= 3 && line.words[place - 3].text.lowercased() == "domain" || domain.hasSuffix("ErrorDomain")
        return isDomain && !isNamed(by: domain.lowercased())
    }

    /// Whether a number without a mark is a code of an interface that its line names: in `BiometricPrompt 7`, not in
    /// `BiometricPrompt: shown for 7 seconds`.
    func isCode(_ place: Int, in line: PastedLine) -> Bool {
        guard let number = line.words[place].number else { return false }
        if number.isDistinctive || number.isHexadecimal || number.values.contains(where: { $0 < 0 }) { return true }
        if line.words.count == 2 { return true }
        guard !line.counts(place) else { return false }
        let before = line.words[..<place].map { $0.text.lowercased() }
        guard let last = before.last else { return false }
        return isNamed(by: last) || bound(line.words[place - 1].text)?.targets.isEmpty == false
            || loggedNames.contains { _, names in
                names.contains { $0.contains(" ") && before.joined(separator: " ").hasSuffix($0) }
            }
    }

    private func isNamed(by word: String) -> Bool {
        let word = PastedLine(word[...])
        return loggedNames.contains { $0.names.contains(where: word.mentions) }
    }

    /// A name as it stands in the words of a line.
    static func logged(_ name: String) -> String {
        guard name.contains(" ") else { return name.lowercased() }
        return PastedLine(name[...]).words.map { $0.text.lowercased() }.joined(separator: " ")
    }
}
