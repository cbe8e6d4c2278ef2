extension Phone {
    /// Checks that every planned act had an effect, and clears the plan.
    ///
    /// - Throws: ``UnusedActs`` with the places of acts without an effect, and of failed actions.
    public func checkActs() throws {
        let mistakes = person.takeMistakes() + desk.takeMistakes()
        guard mistakes.isEmpty else { throw UnusedActs(sentences: mistakes) }
    }
}

/// The error of a plan with acts that had no effect, or with actions that failed.
public struct UnusedActs: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for each such act or action, with its place in the test.
    public let sentences: [String]

    /// The sentences, one on each line.
    public var description: String { sentences.joined(separator: "\n") }
}
