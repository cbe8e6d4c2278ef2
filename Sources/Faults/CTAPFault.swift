internal import CBOR
public import CTAP

/// A way for a CTAP2 answer to be wrong after the authenticator made it right.
public struct CTAPFault: Hashable, Sendable {
    /// What is done to the answer.
    public enum Kind: Hashable, Sendable {
        /// Answers another status, without parameters.
        case status(CTAPStatus)
        /// Answers OK, but nothing else.
        case empty
        /// Leaves the member with the lowest key out.
        case memberMissing
        /// Adds a member nobody defined.
        case memberExtra
        /// Writes the members in reverse order.
        case membersReordered
        /// Writes the number of members longer than needed.
        case nonCanonical
        /// Gives the first member another type.
        case wrongType
        /// Adds a byte at the end.
        case trailingByte
        /// Leaves the last bytes out.
        case truncated
        /// Puts bytes that are no CBOR in the parameters' place.
        case notCBOR
        /// Answers later, on the device's clock.
        case late(Duration)
        /// Does not answer until the request is cancelled, or ten minutes have passed.
        case silent
    }

    /// What is done.
    public let kind: Kind
    /// The command whose answers are meant; nil for any.
    public let command: CTAPCommand?

    public init(_ kind: Kind, on command: CTAPCommand? = nil) {
        self.kind = kind
        self.command = command
    }

    /// The answer as it leaves the device; nil when none does.
    func changed(_ answer: [UInt8]) -> [UInt8]? {
        let status = Array(answer.prefix(1))
        let parameters = Array(answer.dropFirst())
        switch kind {
        case .status(let status): return [status.rawValue]
        case .empty: return [CTAPStatus.ok.rawValue]
        case .memberMissing: return status + edited(parameters) { Array($0.dropFirst()) }
        case .memberExtra: return status + edited(parameters) { $0 + [(.integer(0x7E), "touchstone")] }
        case .membersReordered: return status + edited(parameters, ordering: .asGiven) { $0.reversed() }
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

    private func edited(
        _ parameters: [UInt8], ordering: CBOR.MapOrdering = .canonical,
        _ change: ([CBOR.Map.Element]) -> [CBOR.Map.Element]
    ) -> [UInt8] {
        guard case .map(let map)? = try? CBOR.decode(parameters, options: .lenient) else { return parameters }
        let sorted = map.sorted { CBOR.encode($0.key).lexicographicallyPrecedes(CBOR.encode($1.key)) }
        return CBOR.encode(.map(CBOR.Map(uncheckedEntries: change(sorted))), ordering: ordering)
    }
}
