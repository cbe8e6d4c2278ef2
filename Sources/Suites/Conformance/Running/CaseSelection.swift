/// The part of a suite that a run performs.
package struct CaseSelection: Codable, Hashable, Sendable {
    /// Identifiers, or beginnings of them that end at a dot; empty for all.
    package var identifiers: [String] = []
    /// Identifiers, or beginnings of them, of cases that are left out.
    package var skipped: [String] = []
    /// The levels; empty for all.
    package var levels: [Level] = []
    /// The specifications; empty for all.
    package var specifications: [Specification] = []
    /// Words, each of which the identifier, the title, the clause or an official identifier contains.
    package var words: String?

    package init() {}

    package func contains(_ description: CaseDescription) -> Bool {
        func isAmong(_ names: [String]) -> Bool {
            names.contains { description.id == $0 || description.id.hasPrefix($0 + ".") }
        }
        guard identifiers.isEmpty || isAmong(identifiers), !isAmong(skipped),
            levels.isEmpty || levels.contains(description.level),
            specifications.isEmpty || specifications.contains(description.clause.specification)
        else { return false }
        guard let words = words?.lowercased().split(whereSeparator: \.isWhitespace) else { return true }
        let texts = ([description.id, description.title, description.clause.description] + description.official)
            .map { $0.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }
}

/// The user's permissions for a run.
package struct RunPermission: Sendable {
    /// Whether it may spend tries, change the PIN and settings, and erase.
    package var isDestructive = false
    /// Whether a person is there to touch and to unplug.
    package var hasPerson = true
    /// The acts that a machine does, so that they need no person.
    package var actsByMachine: Set<ManualAct> = []

    package init() {}
}
