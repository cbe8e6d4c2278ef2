/// The state of a subject between two cases.
package enum SubjectState: Hashable, Sendable {
    /// The subject answers requests that are known to be good.
    case sound
    /// It did not, until this act of the bench: a noun phrase, such as "a power cycle".
    case restored(by: String)
    /// It refuses them, whatever the bench does; the sentence says what was seen.
    case lost(String)
    /// It does not answer at all, as one that was unplugged; the sentence says what was seen.
    case silent(String)
}
