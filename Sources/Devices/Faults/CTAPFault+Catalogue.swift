package import CTAP

extension CTAPFault {
    /// Every fault of this seam; what `status` answers and how long `late` takes is written behind the name.
    package static let catalogue: [FaultDescription] = [
        describe("status", "answers a status instead: status:KEY_STORE_FULL, status:0x7F"),
        describe(
            "refused", "answers a status without asking the authenticator or its person: refused:MISSING_PARAMETER"),
        describe("status-swapped", "says one status for another: status-swapped:PIN_INVALID=PIN_AUTH_INVALID"),
        describe("response-empty", "answers OK and nothing else"),
        describe("member-missing", "the first member of the answer is missing"),
        describe("member-extra", "the answer has a member nobody defined; a client must ignore it"),
        describe("members-reordered", "the members of the answer are not in canonical order"),
        describe("nested-reordered", "the members of the maps inside the answer are not in canonical order"),
        describe("non-canonical", "the answer's map gives its length in more bytes than needed"),
        describe("wrong-type", "the first member of the answer has another type"),
        describe("response-trailing-byte", "a byte follows the answer"),
        describe("response-truncated", "the answer ends early"),
        describe("response-not-cbor", "the answer's parameters are no CBOR"),
        describe("late", "the answer comes late, ten seconds or late:SECONDS"),
        describe("silent", "no answer comes until the client cancels"),
    ]

    private static func describe(_ name: String, _ meaning: String) -> FaultDescription {
        FaultDescription(name, seam: .ctap, meaning, noticedBy: ["client"])
    }

    /// The fault of a name, with what stands behind its colon; nil when there is no such fault.
    ///
    /// - Throws: ``FaultSyntaxError`` when what stands behind the colon makes no sense.
    static func named(
        _ name: String, argument: String?, on command: CTAPCommand?, where condition: Condition?
    ) throws(FaultSyntaxError) -> CTAPFault? {
        let kind: Kind
        switch name {
        case "status": kind = .status(try status(argument, of: name))
        case "refused": kind = .refused(try status(argument, of: name))
        case "status-swapped": kind = try swap(argument)
        case "late": kind = .late(try seconds(argument, of: name) ?? .seconds(10))
        default:
            guard let plain = plainKinds[name] else { return nil }
            guard argument == nil else { throw FaultSyntaxError("\(name) takes nothing behind a colon") }
            kind = plain
        }
        return CTAPFault(kind, on: command, where: condition)
    }

    /// The name it is armed by.
    package var name: String {
        switch kind {
        case .status: "status"
        case .refused: "refused"
        case .statusSwapped: "status-swapped"
        case .late: "late"
        default: Self.plainKinds.first { $0.value == kind }?.key ?? "\(kind)"
        }
    }

    private static let plainKinds: [String: Kind] = [
        "response-empty": .empty, "member-missing": .memberMissing, "member-extra": .memberExtra,
        "members-reordered": .membersReordered, "nested-reordered": .nestedReordered, "non-canonical": .nonCanonical,
        "wrong-type": .wrongType,
        "response-trailing-byte": .trailingByte, "response-truncated": .truncated, "response-not-cbor": .notCBOR,
        "silent": .silent,
    ]

    private static func swap(_ argument: String?) throws(FaultSyntaxError) -> Kind {
        let statuses = (argument ?? "").split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard statuses.count == 2 else {
            throw FaultSyntaxError(
                "status-swapped needs two statuses, as in status-swapped:PIN_INVALID=PIN_AUTH_INVALID")
        }
        return .statusSwapped(
            from: try status(statuses[0], of: "status-swapped"), to: try status(statuses[1], of: "status-swapped"))
    }

    private static func status(_ argument: String?, of name: String) throws(FaultSyntaxError) -> CTAPStatus {
        let text = argument ?? ""
        let number = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : nil
        guard let status = number.map(CTAPStatus.init(rawValue:)) ?? CTAPStatus.named(text) else {
            let found = text.isEmpty ? "" : ", and \"\(text)\" is none"
            throw FaultSyntaxError("\(name) needs a status of CTAP such as KEY_STORE_FULL or 0x28\(found)")
        }
        return status
    }

    /// The time behind the colon; nil when there is none.
    static func seconds(_ argument: String?, of name: String) throws(FaultSyntaxError) -> Duration? {
        guard let argument else { return nil }
        guard let seconds = Double(argument), seconds >= 0, seconds <= 3600 else {
            throw FaultSyntaxError("\(name) needs seconds behind the colon, 0 to 3600, as in \(name):2.5")
        }
        return .seconds(seconds)
    }
}
