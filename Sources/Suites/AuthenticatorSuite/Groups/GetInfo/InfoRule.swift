internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

/// A rule about the answer to getInfo: a reason that it is broken, or nil.
struct InfoRule: Sendable {
    let name: String
    let title: String
    let clause: Clause
    let level: Level
    let needs: [AuthenticatorNeed]
    /// The observation; nil where the rule holds.
    let violation: @Sendable (AuthenticatorInfo) -> String?

    init(
        _ name: String, _ title: String, _ clause: Clause = .ctap("6.4"), level: Level = .must,
        needs: [AuthenticatorNeed] = [.ctap2], _ violation: @escaping @Sendable (AuthenticatorInfo) -> String?
    ) {
        self.name = name
        self.title = title
        self.clause = clause
        self.level = level
        self.needs = needs
        self.violation = violation
    }

    /// A rule about one member, which concerns only answers that have it.
    static func member(
        _ member: InfoMember, _ name: String, _ title: String, level: Level = .must,
        _ violation: @escaping @Sendable (AuthenticatorInfo) -> String?
    ) -> InfoRule {
        InfoRule("\(member.name).\(name)", title, level: level, needs: [.ctap2, .member(member)], violation)
    }

    var conformanceCase: Case {
        Case("getInfo.\(name)", title, clause, level: level, needs: needs) { bench in
            let map = try bench.response(try await bench.send(.getInfo))
            let info: AuthenticatorInfo
            do {
                info = try AuthenticatorInfo(readable: map)
            } catch {
                // getInfo.required and the cases of the members' types are about this.
                throw CaseStop.blocked("the answer to getInfo cannot be read: \(error); see getInfo.required")
            }
            if let seen = violation(info) { bench.expect(false, title, seen: seen) }
        }
    }

    /// The items that an array has twice, in words; nil when there are none.
    static func repeated<Item: Hashable & Sendable>(_ items: [Item]?) -> String? {
        let counts = Dictionary((items ?? []).map { ($0, 1) }, uniquingKeysWith: +)
        let several = counts.filter { $0.value > 1 }.map { "\($0.key)" }.sorted()
        return several.isEmpty ? nil : "several times: \(several.joined(separator: ", "))"
    }
}

extension Bool {
    /// The observation, where a condition does not hold.
    func orSeen(_ seen: @autoclosure () -> String) -> String? { self ? nil : seen() }
}
