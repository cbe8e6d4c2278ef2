package import CBOR
package import CTAP
package import Conformance
internal import MessageValues

/// A rule about getInfo that one answer breaks, without a device.
package struct InfoFinding: Hashable, Sendable {
    /// The rule in one sentence.
    package let rule: String
    /// The observation.
    package let seen: String
    package let clause: Clause
    package let level: Level

    /// The broken rules of the conformance cases about an answer; none for an answer without versions or AAGUID.
    ///
    /// - Parameter uncertain: the members that the device may have although the answer lacks them; a rule is broken when it
    ///   is broken with them, too.
    package static func all(in answer: CBOR.Map, uncertain: Set<InfoMember> = []) -> [InfoFinding] {
        let findings = broken(in: answer)
        guard !uncertain.isEmpty else { return findings }
        var filled = answer
        for member in uncertain { filled[member.rawValue] = filled[member.rawValue] ?? member.type.example }
        let rules = Set(broken(in: filled).map(\.rule))
        return findings.filter { rules.contains($0.rule) }
    }

    private static func broken(in answer: CBOR.Map) -> [InfoFinding] {
        guard let info = try? AuthenticatorInfo(readable: answer) else { return [] }
        return (InfoRule.members + InfoRule.relations).compactMap { rule in
            guard rule.level != .may, rule.needs.allSatisfy({ meets($0, info, answer) }) else { return nil }
            return rule.violation(info).map {
                InfoFinding(rule: rule.title, seen: $0, clause: rule.clause, level: rule.level)
            }
        }
    }

    /// Whether an answer alone meets a need; needs of a device are not met.
    private static func meets(_ need: AuthenticatorNeed, _ info: AuthenticatorInfo, _ answer: CBOR.Map) -> Bool {
        switch need {
        case .version(let versions): info.versions.contains(where: versions.contains)
        case .option(let option): info.option(option) != nil
        case .optionOn(let option): info.option(option) == true
        case .optionAbsent(let option): info.option(option) == nil
        case .optionOff(let option): info.option(option) != true
        case .supported(let name): info.extensions?.contains(name) == true
        case .unsupported(let name): info.extensions?.contains(name) != true
        case .member(let member): answer[member.rawValue] != nil
        default: false
        }
    }
}

extension MemberType {
    /// A value of the type.
    fileprivate var example: CBOR.Value {
        switch self {
        case .unsigned: 32
        case .bool: true
        case .text: ""
        case .list: []
        case .dictionary, .members, .item: [:]
        case .bytes: .bytes([])
        case .aaguid: .bytes([UInt8](repeating: 0, count: 16))
        case .algorithm: -7
        }
    }
}
