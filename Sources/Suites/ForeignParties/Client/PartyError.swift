/// The reason why a relying party cannot be used as its description says, as opposed to a refusal.
package enum PartyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No answer.
    case unreachable(String)
    /// An answer without a member that the description names.
    case unexpected(String)

    package var description: String {
        switch self {
        case .unreachable(let reason), .unexpected(let reason): reason
        }
    }
}
