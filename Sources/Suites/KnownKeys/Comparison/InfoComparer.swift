internal import CBOR
internal import CTAP
internal import Tables

/// Compares an answer with the expected one, member by member.
struct InfoComparer {
    let expected: ExpectedInfo
    let answer: CBOR.Map
    /// The members that are not compared, such as those that a listing does not print.
    let omitted: Set<InfoMember>

    func differences() -> [InfoDifference] {
        var differences: [InfoDifference] = []
        for member in InfoMember.allCases where member != .aaguid && !omitted.contains(member) {
            switch member {
            case .options: differences += options()
            // Its presence depends on the PIN in every key.
            case .forcePINChange: break
            default: differences += compare(member)
            }
        }
        return differences + unknownMembers()
    }

    // MARK: Members

    private func compare(_ member: InfoMember) -> [InfoDifference] {
        let name = member.name
        let value: CBOR.Value? = answer[member.rawValue]
        switch (expected.members[member], value) {
        case (nil, nil): return []
        case (nil, let found?):
            let words = InfoWords.value(found, of: member)
            return [
                InfoDifference(
                    name, .unexpected, found: words, "has the member \(name) (\(words)), which is not listed for it")
            ]
        case (let expectation?, nil): return absent(member, expectation)
        case (let expectation?, let found?): return compare(member, expectation, found)
        }
    }

    private func absent(_ member: InfoMember, _ expectation: ExpectedInfo.Value) -> [InfoDifference] {
        // A missing member means its default (CTAP 2.3 §6.4).
        switch (expectation, member.absentValue) {
        case (.number(let range), .unsigned(let number)) where range.contains(Int(clamping: number)): return []
        case (.flag(let wanted), .bool(let flag)) where wanted == flag: return []
        default:
            let words = words(expectation, member)
            return [
                InfoDifference(
                    member.name, .missing, expected: words,
                    "\(member.name) is absent, expected \(words ?? "with any value")")
            ]
        }
    }

    private func compare(
        _ member: InfoMember, _ expectation: ExpectedInfo.Value, _ found: CBOR.Value
    ) -> [InfoDifference] {
        switch (expectation, found) {
        case (.present, _): return []
        case (.set(let items), .array(let values)): return compare(member, items, Set(values.map(InfoWords.text)))
        case (.preference(let items), .array(let values)) where items == values.map(InfoWords.text): return []
        case (.number(let range), .unsigned(let value)):
            guard let number = Int(exactly: value) else { break }
            if range.contains(number) { return [] }
            // setMinPINLength can only raise it (CTAP 2.3 §6.11.4).
            if member == .minPINLength, number > range.upperBound, option(.setMinPINLength) == true { return [] }
        case (.flag(let wanted), .bool(let flag)) where wanted == flag: return []
        case (.text(let text), .bytes(let bytes)) where Array(text.utf8) == bytes: return []
        case (.levels(let levels), .map(let map)):
            if map.count == levels.count, levels.allSatisfy({ map[$0.key] == .integer($0.value) }) { return [] }
        default: break
        }
        let was = InfoWords.value(found, of: member)
        let words = words(expectation, member) ?? "anything"
        return [
            InfoDifference(
                member.name, .different, expected: words, found: was, "\(member.name) is \(was), expected \(words)")
        ]
    }

    /// The singular noun for an item of a list.
    private static let itemNames: [InfoMember: String] = [
        .versions: "version", .extensions: "extension", .transports: "transport",
        .attestationFormats: "attestation format", .transportsForReset: "transport for a reset",
        .vendorPrototypeConfigCommands: "vendor command", .authenticatorConfigCommands: "configuration subcommand",
    ]

    private func compare(_ member: InfoMember, _ expected: Set<String>, _ found: Set<String>) -> [InfoDifference] {
        let noun = Self.itemNames[member] ?? "item"
        var missing = expected.subtracting(found)
        // alwaysUv disables U2F (CTAP 2.3 §7.2).
        if member == .versions, option(.alwaysUv) == true { missing.remove("U2F_V2") }
        return missing.sorted().map {
            InfoDifference("\(member.name).\($0)", .missing, expected: $0, "lacks the \(noun) \($0)")
        }
            + found.subtracting(expected).sorted().map {
                InfoDifference(
                    "\(member.name).\($0)", .unexpected, found: $0,
                    "has the \(noun) \($0), which is not listed for it")
            }
    }

    private func words(_ expectation: ExpectedInfo.Value, _ member: InfoMember) -> String? {
        switch expectation {
        case .present: nil
        case .set(let items): items.sorted().joined(separator: ", ")
        case .preference(let items): items.joined(separator: ", ")
        case .number(let range): words(range, member)
        case .flag(let flag): "\(flag)"
        case .text(let text): text
        case .levels(let levels):
            levels.sorted { $0.key < $1.key }.map { "\($0.key) level \($0.value)" }.joined(separator: ", ")
        }
    }

    private func words(_ range: ClosedRange<Int>, _ member: InfoMember) -> String {
        func number(_ number: Int) -> String { member == .firmwareVersion ? InfoWords.firmware(number) : "\(number)" }
        if range.lowerBound == range.upperBound { return number(range.lowerBound) }
        if range.upperBound == Int(Int32.max) { return "\(number(range.lowerBound)) or more" }
        return "\(number(range.lowerBound)) to \(number(range.upperBound))"
    }

    private func unknownMembers() -> [InfoDifference] {
        answer.unknownKeys.map { key in
            let name = InfoWords.name(ofUnknown: key)
            return InfoDifference(
                name, .unexpected, found: answer[key]?.description,
                "has the member \(name), which no specification names")
        }
    }

    // MARK: Options

    private var listed: CBOR.Map { CBOR.Map(answer[InfoMember.options.rawValue]) }

    private func option(_ option: InfoOption) -> Bool? {
        guard case .bool(let flag) = listed[option.rawValue] else { return nil }
        return flag
    }

    private func options() -> [InfoDifference] {
        var differences: [InfoDifference] = []
        for (identifier, expectation) in expected.options.sorted(by: { $0.key < $1.key }) {
            if let difference = compare(identifier, expectation) { differences.append(difference) }
        }
        for (key, value) in listed {
            let identifier = InfoWords.identifier(key)
            guard expected.options[identifier] == nil else { continue }
            // A listed default equals a missing option.
            if let value = InfoOption(rawValue: identifier)?.impliedValue, listed[identifier] == .bool(value) {
                continue
            }
            let name = TerminalText.escaped(identifier)
            differences.append(
                InfoDifference(
                    "options.\(name)", .unexpected, found: value.description,
                    "has the option \(name) (\(value)), which is not listed for it"))
        }
        return differences
    }

    private func compare(_ identifier: String, _ expectation: ExpectedInfo.Option) -> InfoDifference? {
        let place = "options.\(identifier)"
        let found: CBOR.Value? = listed[identifier]
        switch expectation {
        case .present:
            guard found == nil else { return nil }
            return InfoDifference(
                place, .missing, expected: "true or false", "the option \(identifier) is absent, expected true or false"
            )
        case .value(let wanted):
            if let found, found == .bool(wanted) { return nil }
            guard let found else {
                if InfoOption(rawValue: identifier)?.impliedValue == wanted { return nil }
                return InfoDifference(
                    place, .missing, expected: "\(wanted)", "the option \(identifier) is absent, expected \(wanted)")
            }
            // alwaysUv turns makeCredUvNotRqd off (CTAP 2.3 §7.2).
            if identifier == InfoOption.makeCredUvNotRqd.rawValue, wanted, found == .bool(false),
                option(.alwaysUv) == true
            {
                return nil
            }
            return InfoDifference(
                place, .different, expected: "\(wanted)", found: found.description,
                "the option \(identifier) is \(found), expected \(wanted)")
        }
    }
}
