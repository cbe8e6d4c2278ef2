/// The place where the cases of a suite meet their subject: an authenticator or a relying party, and its declarations.
package protocol ConformanceBench: Sendable {
    /// A precondition of a case; its description is a noun phrase for lists, such as "the extension credBlob".
    associatedtype Need: Sendable, CustomStringConvertible

    /// The reason that the subject does not meet a need; nil where it does.
    func obstacle(to need: Need) -> CaseStop?

    /// Prepares the subject for a case: exchanges go to the recorder from now on.
    ///
    /// - Throws: An error that ends the whole run, such as a device that is gone.
    func begin(_ case: CaseDescription, _ recorder: CaseRecorder) async throws

    /// Tidies up after a case, whatever its verdict is.
    func end(_ case: CaseDescription) async throws
}
