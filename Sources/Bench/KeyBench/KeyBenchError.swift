/// Why a device cannot be worked with.
package enum KeyBenchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not there, or may not be used.
    case notThere(String)
    /// Several fit, and the person did not say which.
    case ambiguous(String)
    /// What was asked for makes no sense with it.
    case badInput(String)

    package var description: String {
        switch self {
        case .notThere(let detail), .ambiguous(let detail), .badInput(let detail): detail
        }
    }
}
