internal import CBOR
internal import CTAP

extension CTAPFault {
    static let table: [FaultRow<Effect>] = [
        FaultRow("status", "the response is a status instead: status:KEY_STORE_FULL, status:0x7F") {
            argument throws(FaultSyntaxError) in
            let status = try argument.status()
            return .change { _ in [status.rawValue] }
        },
        FaultRow(
            "refused",
            "the response is a status, without asking the authenticator or the user: refused:MISSING_PARAMETER"
        ) { argument throws(FaultSyntaxError) in .refusal(try argument.status()) },
        FaultRow("status-swapped", "one status replaces another: status-swapped:PIN_INVALID=PIN_AUTH_INVALID") {
            argument throws(FaultSyntaxError) in
            let (from, to) = try argument.statuses()
            return .change { $0.first == from.rawValue ? [to.rawValue] + $0.dropFirst() : $0 }
        },
        FaultRow(
            "relying-parties-zero", "NO_CREDENTIALS is OK with totalRPs 0 instead, for enumerateRPsBegin",
            .change { response in
                guard response.first == CTAPStatus.noCredentials.rawValue else { return response }
                return [CTAPStatus.ok.rawValue] + CBOR.encode([0x05: 0])
            }),
        FaultRow("response-empty", "the response is OK without parameters", .change { _ in [CTAPStatus.ok.rawValue] }),
        FaultRow("member-missing", "the first member of the response is missing", .members { Array($0.dropFirst()) }),
        FaultRow(
            "member-extra", "the response has an undefined member; a client must ignore it",
            .members { $0 + [(.integer(0x7E), "touchstone")] }),
        FaultRow(
            "members-reordered", "the members of the response are not in canonical order",
            .members(ordering: .asGiven) { $0.reversed() }),
        FaultRow(
            "nested-reordered", "the members of the maps inside the response are not in canonical order",
            .members(ordering: .asGiven) { $0.map { ($0.key, $0.value.reversed) } }),
        FaultRow(
            "non-canonical", "the length of the response's map takes more bytes than needed",
            .change { response in
                // A map with 24 or more members has its number in a byte of its own (RFC 8949 §3).
                guard response.count > 1, response[1] >> 5 == 5 else { return response }
                let count = response[1] & 0x1F
                if count < 24 { return [response[0], 0xB8, count] + response.dropFirst(2) }
                return count == 24 ? [response[0], 0xB9, 0] + response.dropFirst(2) : response
            }),
        FaultRow(
            "wrong-type", "the first member of the response has another type",
            .members { members in
                guard let first = members.first else { return members }
                return [(key: first.key, value: first.value == "?" ? 0 : "?")] + members.dropFirst()
            }),
        FaultRow("response-trailing-byte", "a byte follows the response", .change { $0 + [0x00] }),
        FaultRow(
            "response-truncated", "the response ends early", .change { $0.dropLast(min(3, max(1, $0.count - 1))) }),
        FaultRow(
            "response-not-cbor", "the response's parameters are not CBOR", .change { $0.prefix(1) + [0xFF, 0xFF] }),
        FaultRow("late", "the response comes late, after ten seconds or late:SECONDS") {
            argument throws(FaultSyntaxError) in .delay(try argument.seconds(default: .seconds(10)))
        },
        FaultRow("silent", "no response comes until the client cancels", .silence),
    ]
}

extension CTAPFault.Effect {
    /// Changes the members of the response's map, which come in canonical order.
    fileprivate static func members(
        ordering: CBOR.MapOrdering = .canonical,
        _ change: @escaping @Sendable ([CBOR.Map.Element]) -> [CBOR.Map.Element]
    ) -> Self {
        .change { response in
            guard case .map(let map)? = try? CBOR.decode(response, from: 1, options: .lenient) else { return response }
            let sorted = map.sorted { CBOR.encode($0.key).lexicographicallyPrecedes(CBOR.encode($1.key)) }
            let changed = CBOR.Map(uncheckedEntries: change(sorted))
            return response.prefix(1) + CBOR.encode(.map(changed), ordering: ordering)
        }
    }
}

extension CBOR.Value {
    /// A map with its members in reverse order; any other value as it is.
    fileprivate var reversed: CBOR.Value {
        guard case .map(let map) = self else { return self }
        return .map(CBOR.Map(uncheckedEntries: map.reversed()))
    }
}
