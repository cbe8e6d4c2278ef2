internal import CBOR
internal import CTAP

/// A change to a CTAP2 response after the authenticator made it.
package struct CTAPFault: Hashable, Sendable {
    /// The change to the response.
    enum Kind: Hashable, Sendable {
        /// Answers another status, without parameters.
        case status(CTAPStatus)
        /// Answers a status without asking the authenticator, so that the user is not asked for a touch.
        case refused(CTAPStatus)
        /// Replaces one status by another.
        case statusSwapped(from: CTAPStatus, to: CTAPStatus)
        /// Answers OK without parameters.
        case empty
        /// Omits the member with the lowest key.
        case memberMissing
        /// Adds an undefined member.
        case memberExtra
        /// Writes the members in reverse order.
        case membersReordered
        /// Writes the members of nested maps in reverse order.
        case nestedReordered
        /// Writes the number of members in more bytes than needed.
        case nonCanonical
        /// Gives the first member another type.
        case wrongType
        /// Adds a byte at the end.
        case trailingByte
        /// Omits the last bytes.
        case truncated
        /// Replaces the parameters by bytes that are not CBOR.
        case notCBOR
        /// Delays the response on the device's clock.
        case late(Duration)
        /// Does not answer until the request is cancelled, or ten minutes have passed.
        case silent
    }

    /// The change to the response.
    let kind: Kind
    /// The stable name, such as `status`.
    let name: String
    /// The fault as it was written, argument, command and condition included.
    package let spelling: String
    /// The command whose responses change; nil for any.
    let command: CTAPCommand?
    /// The requests whose responses change; nil for any.
    let condition: Condition?

    /// A condition on one parameter of a request.
    enum Condition: Hashable, Sendable {
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

    /// Whether the fault changes the response to a request.
    func concerns(_ message: [UInt8]) -> Bool {
        if let command, command.rawValue != message.first { return false }
        return condition?.holds(for: message) ?? true
    }

    /// The response given without asking the authenticator, if any.
    var immediateAnswer: [UInt8]? {
        if case .refused(let status) = kind { [status.rawValue] } else { nil }
    }

    /// Whether the response stays the same and comes late.
    var isDelay: Bool { if case .late = kind { true } else { false } }

    /// The response as it leaves the device; nil when none does.
    func changed(_ answer: [UInt8]) -> [UInt8]? {
        let status = Array(answer.prefix(1))
        let parameters = Array(answer.dropFirst())
        switch kind {
        case .status(let status), .refused(let status): return [status.rawValue]
        case .statusSwapped(let from, let to):
            return answer.first == from.rawValue ? [to.rawValue] + parameters : answer
        case .empty: return [CTAPStatus.ok.rawValue]
        case .memberMissing: return status + edited(parameters) { Array($0.dropFirst()) }
        case .memberExtra: return status + edited(parameters) { $0 + [(.integer(0x7E), "touchstone")] }
        case .membersReordered: return status + edited(parameters, ordering: .asGiven) { $0.reversed() }
        case .nestedReordered:
            return status
                + edited(parameters, ordering: .asGiven) { $0.map { ($0.key, Self.reversed($0.value)) } }
        case .nonCanonical:
            guard let head = parameters.first, head >> 5 == 5, head & 0x1F < 24 else { return answer + [0] }
            return status + [0xB8, head & 0x1F] + parameters.dropFirst()
        case .wrongType:
            return status
                + edited(parameters) { entries in
                    var entries = entries
                    if let first = entries.first { entries[0].value = first.value == "?" ? 0 : "?" }
                    return entries
                }
        case .trailingByte: return answer + [0x00]
        case .truncated: return Array(answer.dropLast(min(3, max(1, parameters.count))))
        case .notCBOR: return status + [0xFF, 0xFF]
        case .late: return answer
        case .silent: return nil
        }
    }

    private static func reversed(_ value: CBOR.Value) -> CBOR.Value {
        guard case .map(let map) = value else { return value }
        return .map(CBOR.Map(uncheckedEntries: map.reversed()))
    }

    private func edited(
        _ parameters: [UInt8], ordering: CBOR.MapOrdering = .canonical,
        _ change: ([CBOR.Map.Element]) -> [CBOR.Map.Element]
    ) -> [UInt8] {
        guard case .map(let map)? = try? CBOR.decode(parameters, options: .lenient) else { return parameters }
        let sorted = map.sorted { CBOR.encode($0.key).lexicographicallyPrecedes(CBOR.encode($1.key)) }
        return CBOR.encode(.map(CBOR.Map(uncheckedEntries: change(sorted))), ordering: ordering)
    }
}
