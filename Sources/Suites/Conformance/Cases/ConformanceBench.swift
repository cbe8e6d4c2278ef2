/// The place where the cases of a suite meet their subject: an authenticator or a relying party, and its declarations.
package protocol ConformanceBench: Sendable {
    /// A precondition of a case; its description is a noun phrase for lists, such as "the extension credBlob".
    associatedtype Need: Sendable, CustomStringConvertible

    /// The reason that the subject does not meet a need; nil where it does.
    func obstacle(to need: Need) -> CaseStop?

    /// Prepares the subject for a case: exchanges go to the recorder from now on.
    ///
    /// - Throws: An error of the subject, after which the run asks for its state.
    func begin(_ case: CaseDescription, _ recorder: CaseRecorder) async throws

    /// Tidies up after a case, whatever its verdict is.
    ///
    /// - Throws: An error of the subject, after which the run asks for its state.
    func end(_ case: CaseDescription) async throws

    /// Repeats requests that are known to be good, and brings a subject that refuses one back to its usual state.
    ///
    /// A run asks after each case that did not pass, so that the state that one case left is not blamed on later ones.
    func restored() async -> SubjectState

    /// Performs the positive controls of a case: the valid request beside each one that it saw refused, and the search for
    /// a credential like its own.
    ///
    /// A subject that fails a control is not judged by the case.
    ///
    /// - Parameter result: a case with deviations.
    /// - Returns: the reason why a control fails, as a sentence; nil where the deviations stand.
    func refusalOfValidRequests(behind result: CaseResult) async -> String?

    /// The demand that an error breaks.
    func demand(brokenBy error: any Error, in single: CaseDescription) -> BrokenDemand
}

/// The demand that an error in place of an answer breaks.
package struct BrokenDemand: Sendable {
    /// The expected behaviour, as a noun phrase.
    package let expected: String
    /// The clause; nil for the case's own.
    package let clause: Clause?

    package init(_ expected: String = "an answer", _ clause: Clause? = nil) {
        (self.expected, self.clause) = (expected, clause)
    }
}

extension ConformanceBench {
    package func refusalOfValidRequests(behind result: CaseResult) async -> String? { nil }

    package func demand(brokenBy error: any Error, in single: CaseDescription) -> BrokenDemand { BrokenDemand() }
}
