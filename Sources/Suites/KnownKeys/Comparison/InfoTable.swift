package import CBOR
package import CTAP
internal import Tables
internal import Wording

/// Several devices' getInfo answers side by side, with a row for each member and each option.
package struct InfoTable: Hashable, Sendable {
    package enum Verdict: String, Codable, Sendable {
        case same
        /// The values differ, but depend on the single device or its setup, not on its model.
        case state
        case different
    }

    package struct Row: Hashable, Sendable {
        /// `maxMsgSize`, `options.clientPin`, `extensions.credBlob`, `0x20`.
        package let name: String
        package let meaning: String
        /// Each device's value in words, in the order of the devices.
        package let values: [String]
        package let verdict: Verdict
    }

    /// The rows, in the order of the members.
    package let rows: [Row]

    /// - Parameters:
    ///   - answers: each device's getInfo map; nil, or any other value, for a device without an answer.
    ///   - members: the members that have no row, such as those of which a text does not tell.
    package init(_ answers: [CBOR.Value?], leavingOut members: Set<InfoMember> = []) {
        let maps = answers.map { CBOR.Map($0) }
        let setUp = SetUp(maps)
        var rows: [Row] = []
        for member in InfoMember.allCases where !members.contains(member) {
            let values = maps.map { map -> CBOR.Value? in map[member.rawValue] }
            guard values.contains(where: { $0 != nil }) else { continue }
            switch member.kind {
            case .options: rows += Self.options(values, setUp)
            case .set: rows += Self.set(member, values, setUp)
            default: rows.append(Self.row(member, values, setUp))
            }
        }
        self.rows = rows + Self.unknownMembers(maps)
    }

    // MARK: Members

    private static func row(_ member: InfoMember, _ values: [CBOR.Value?], _ setUp: SetUp) -> Row {
        let implied = values.map { $0 ?? member.absentValue }
        let words = values.map { Self.words($0, member) }
        // setMinPINLength can raise it (CTAP 2.3 §6.11.4).
        let isSetUp = member == .minPINLength && setUp.canRaiseMinPINLength
        let isState = (member.isDeviceSpecific || isSetUp) && implied.allSatisfy { $0 != nil }
        let isSame = Set(implied).count == 1 || (isState && Set(words).count == 1)
        return Row(
            name: member.name, meaning: member.meaning, values: words,
            verdict: isSame ? .same : isState ? .state : .different)
    }

    private static func words(_ value: CBOR.Value?, _ member: InfoMember) -> String {
        switch value {
        case nil: "absent"
        // The bytes change with every answer; only their length is comparable.
        case .bytes(let bytes)? where member.isDeviceSpecific: Wording.counted(bytes.count, "byte")
        case let value?: InfoWords.value(value, of: member)
        }
    }

    /// One row for equal sets; otherwise one for each item that some devices lack.
    private static func set(_ member: InfoMember, _ values: [CBOR.Value?], _ setUp: SetUp) -> [Row] {
        let items: [[String]?] = values.map { value in
            if case .array(let items)? = value { items.map(InfoWords.text) } else { nil }
        }
        // Values that are not lists are shown unchanged.
        guard zip(items, values).allSatisfy({ ($0 == nil) == ($1 == nil) }) else { return [row(member, values, setUp)] }
        let sets = items.map { Set($0 ?? []) }
        let all = sets.reduce(Set()) { $0.union($1) }
        let common = sets.dropFirst().reduce(sets.first ?? []) { $0.intersection($1) }
        guard all != common else {
            let verdict: Verdict = Set(values.map { $0 == nil }).count == 1 ? .same : .different
            return [
                Row(
                    name: member.name, meaning: member.meaning, values: values.map { words($0, member) },
                    verdict: verdict)
            ]
        }
        return all.subtracting(common).sorted().map { item in
            // alwaysUv disables U2F (CTAP 2.3 §7.2).
            let isState = member == .versions && item == "U2F_V2" && setUp.explains(sets.map { $0.contains(item) })
            return Row(
                name: "\(member.name).\(item)", meaning: member.meaning,
                values: sets.map { $0.contains(item) ? "listed" : "not listed" },
                verdict: isState ? .state : .different)
        }
    }

    private static func unknownMembers(_ maps: [CBOR.Map]) -> [Row] {
        var keys: [CBOR.Value] = []
        for map in maps {
            for key in map.unknownKeys where !keys.contains(key) { keys.append(key) }
        }
        return keys.map { key in
            let values = maps.map { map -> CBOR.Value? in map[key] }
            return Row(
                name: InfoWords.name(ofUnknown: key), meaning: InfoWords.unknownMember,
                values: values.map { $0?.description ?? "absent" },
                verdict: Set(values).count == 1 ? .same : .different)
        }
    }

    // MARK: Options

    private static func options(_ values: [CBOR.Value?], _ setUp: SetUp) -> [Row] {
        let maps = values.map { CBOR.Map($0) }
        var identifiers: [String] = []
        for map in maps {
            for case .text(let identifier) in map.keys where !identifiers.contains(identifier) {
                identifiers.append(identifier)
            }
        }
        return identifiers.sorted().map { identifier in
            let found = maps.map { map -> CBOR.Value? in map[identifier] }
            let implied = found.map { $0 ?? InfoOption(rawValue: identifier)?.impliedValue.map(CBOR.Value.bool) }
            let option = InfoOption(rawValue: identifier)
            // alwaysUv turns makeCredUvNotRqd off (CTAP 2.3 §7.2).
            let isSetUp =
                option?.dependsOnSetUp == true || option == .alwaysUv
                || option == .makeCredUvNotRqd && setUp.explains(found.map { $0 == .bool(true) })
            let verdict: Verdict =
                if Set(implied).count == 1 {
                    .same
                } else {
                    isSetUp && (option == .makeCredUvNotRqd || found.allSatisfy { $0 != nil }) ? .state : .different
                }
            return Row(
                name: "options.\(TerminalText.escaped(identifier))", meaning: meaning(of: identifier, found),
                values: found.map { $0?.description ?? "absent" }, verdict: verdict)
        }
    }

    private static func meaning(of identifier: String, _ values: [CBOR.Value?]) -> String {
        for case .bool(let flag)? in values {
            return InfoOption(rawValue: identifier).map { "\(flag): \($0.meaning(of: flag))" }
                ?? "no specification names this option"
        }
        return "neither true nor false"
    }
}

/// The set-up of devices, which changes members of getInfo beside its own.
private struct SetUp {
    private let alwaysUv: [CBOR.Value?]
    let canRaiseMinPINLength: Bool

    init(_ maps: [CBOR.Map]) {
        let options = maps.map { CBOR.Map($0[InfoMember.options.rawValue]) }
        alwaysUv = options.map { options -> CBOR.Value? in options[InfoOption.alwaysUv.rawValue] }
        canRaiseMinPINLength = options.allSatisfy { $0[InfoOption.setMinPINLength.rawValue] == .bool(true) }
    }

    /// Whether alwaysUv explains the features that devices lack: all can have it, and exactly those with it lack the feature.
    func explains(_ has: [Bool]) -> Bool {
        zip(alwaysUv, has).allSatisfy { $0 == .bool(!$1) }
    }
}

extension InfoMember {
    /// Whether the value is specific to one device: it changes with every answer, or it is a counter.
    fileprivate var isDeviceSpecific: Bool {
        switch self {
        case .encIdentifier, .encCredStoreState, .remainingDiscoverableCredentials, .uvCountSinceLastPinEntry,
            .forcePINChange:
            true
        default: false
        }
    }
}
