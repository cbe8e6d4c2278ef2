extension Phone {
    /// Checks that prompts took every planned act, and forgets the plan.
    ///
    /// - Throws: ``UnusedActs`` with the places of acts without an effect, and of failed actions.
    public func checkActs() throws {
        let mistakes = person.takeMistakes() + desk.takeMistakes()
        guard mistakes.isEmpty else { throw UnusedActs(sentences: mistakes) }
    }
}

/// Parts of a plan that had no effect, or failed.
public struct UnusedActs: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for each part, with its place in the test.
    public let sentences: [String]

    /// The sentences, a line for each.
    public var description: String { sentences.joined(separator: "\n") }
}
