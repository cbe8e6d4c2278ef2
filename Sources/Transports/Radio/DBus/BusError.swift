/// The failure of a connection or a call.
package enum BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No bus answers at an address.
    case unreachable(address: String, problem: String)
    /// The connection has ended.
    case closed
    /// The call is answered with an error.
    case refused(BusRefusal)
    /// The call is not answered in time; the associated value is the method.
    case noAnswer(String)
    /// A message that D-Bus does not permit; the associated value is its fault.
    case malformed(String)

    package var description: String {
        switch self {
        case .unreachable(let address, let problem):
            "no message bus answers at \(address): \(problem); start it, or name another address"
        case .closed: "the message bus has closed the connection; connect again"
        case .refused(let refusal): refusal.description
        case .noAnswer(let method): "the service does not answer \(method); restart the service"
        case .malformed(let problem): "the message cannot be sent or read: \(problem); change it"
        }
    }
}
