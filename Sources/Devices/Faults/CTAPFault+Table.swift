extension CTAPFault {
    /// Every fault of this layer.
    static let table: [FaultRow<Kind>] = [
        FaultRow("status", "the response is a status instead: status:KEY_STORE_FULL, status:0x7F") {
            argument throws(FaultSyntaxError) in .status(try argument.status())
        },
        FaultRow(
            "refused",
            "the response is a status, without asking the authenticator or the user: refused:MISSING_PARAMETER"
        ) { argument throws(FaultSyntaxError) in .refused(try argument.status()) },
        FaultRow("status-swapped", "one status replaces another: status-swapped:PIN_INVALID=PIN_AUTH_INVALID") {
            argument throws(FaultSyntaxError) in
            let (from, to) = try argument.statuses()
            return .statusSwapped(from: from, to: to)
        },
        FaultRow("response-empty", "the response is OK without parameters", .empty),
        FaultRow("member-missing", "the first member of the response is missing", .memberMissing),
        FaultRow("member-extra", "the response has an undefined member; a client must ignore it", .memberExtra),
        FaultRow("members-reordered", "the members of the response are not in canonical order", .membersReordered),
        FaultRow(
            "nested-reordered", "the members of the maps inside the response are not in canonical order",
            .nestedReordered),
        FaultRow("non-canonical", "the length of the response's map takes more bytes than needed", .nonCanonical),
        FaultRow("wrong-type", "the first member of the response has another type", .wrongType),
        FaultRow("response-trailing-byte", "a byte follows the response", .trailingByte),
        FaultRow("response-truncated", "the response ends early", .truncated),
        FaultRow("response-not-cbor", "the response's parameters are not CBOR", .notCBOR),
        FaultRow("late", "the response comes late, after ten seconds or late:SECONDS") {
            argument throws(FaultSyntaxError) in .late(try argument.seconds(default: .seconds(10)))
        },
        FaultRow("silent", "no response comes until the client cancels", .silent),
    ]
}
