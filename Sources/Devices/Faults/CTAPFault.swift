internal import CBOR
internal import CTAP

/// A change to a CTAP2 response after the authenticator made it.
package struct CTAPFault: Sendable {
    /// The effect of a fault on a request.
    enum Effect: Sendable {
        /// Answers a status without asking the authenticator, so that the user is not asked for a touch.
        case refusal(CTAPStatus)
        case change(@Sendable (_ response: [UInt8]) -> [UInt8])
        /// Delays the response on the device's clock.
        case delay(Duration)
        /// Gives no response until the request is cancelled, the faults are cleared, or ten minutes have passed.
        case silence
    }

    let effect: Effect
    /// The stable name, such as `status`.
    let name: String
    /// The fault as it was written, argument, command and condition included.
    package let spelling: String
    /// The command whose responses change; nil for any.
    let command: CTAPCommand?
    /// The requests whose responses change; nil for any.
    let condition: Condition?

    /// A condition on one parameter of a request.
    enum Condition: Sendable {
        /// The parameter under this key is this number.
        case number(key: Int, Int)
        /// The parameter under this key is an empty byte string.
        case empty(key: Int)

        func holds(for message: [UInt8]) -> Bool {
            guard case .map(let parameters)? = try? CBOR.decode(message, from: 1, options: .lenient) else {
                return false
            }
            return switch self {
            case .number(let key, let number): parameters[key] == .integer(number)
            case .empty(let key): parameters[key] == .bytes([])
            }
        }
    }

    /// Whether the fault has an effect on a request.
    func concerns(_ message: [UInt8]) -> Bool {
        if let command, command.rawValue != message.first { return false }
        return condition?.holds(for: message) ?? true
    }
}

extension CTAPFault: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.spelling == right.spelling }
    package func hash(into hasher: inout Hasher) { hasher.combine(spelling) }
}
