/// The verdicts of a run, one for each selected case.
package struct RunResults: Sendable {
    package let results: [CaseResult]
    /// The reason why the run ended before its last case; nil where it did not.
    package let end: EarlyEnd?

    /// The results of a run that was not interrupted.
    ///
    /// - Throws: `CancellationError` for another one.
    package func uninterrupted() throws(CancellationError) -> [CaseResult] {
        guard end != .interrupted else { throw CancellationError() }
        return results
    }
}

/// A reason to end a run before its last case; the cases that are left are not run.
package enum EarlyEnd: Hashable, Sendable {
    case interrupted
    /// The subject no longer answers as it did; the case is the one at which the bench noticed.
    case lost(since: String, String)

    package var reason: String {
        switch self {
        case .interrupted: "the run was interrupted"
        case .lost(let id, let seen): "the subject has been in this state since the case \(id): \(seen)"
        }
    }
}
