extension Phone {
    /// Checks that every planned act had an effect and that the app's calls could run, and clears the plan.
    ///
    /// - Throws: ``UnusedActs`` with the places of acts without an effect and of failed actions, and with the calls of the
    ///   app that got a ``PhoneRefusal``; see ``takeRefusals()``.
    public func checkActs() throws {
        let mistakes = person.takeMistakes() + desk.takeMistakes() + refusals.takeMistakes()
        guard mistakes.isEmpty else { throw UnusedActs(sentences: mistakes) }
    }
}

/// The error of a plan with acts that had no effect or with actions that failed, and of calls that could not run.
public struct UnusedActs: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for each such act or action, with its place in the test, and for each kind of such calls.
    public let sentences: [String]

    /// The sentences, one on each line.
    public var description: String { sentences.joined(separator: "\n") }
}
