/// The reason that a device cannot be used.
package enum KeyBenchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It was not found, is not accessible, or failed.
    case notFound(String)
    /// Several match.
    case ambiguous(String)
    /// The request is invalid for it.
    case badInput(String)

    package var description: String {
        switch self {
        case .notFound(let detail), .ambiguous(let detail), .badInput(let detail): detail
        }
    }
}
