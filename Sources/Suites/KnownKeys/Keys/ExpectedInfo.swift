internal import CTAP

/// The expected getInfo answer of a known key.
package struct ExpectedInfo: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        /// Any value: it depends on the key's setup.
        case present
        /// These items, in any order.
        case set(Set<String>)
        /// These items, in this order.
        case preference([String])
        case number(ClosedRange<Int>)
        case flag(Bool)
        case text(String)
        case levels([String: Int])
    }

    enum Option: Hashable, Sendable {
        /// Any value: it depends on the key's setup.
        case present
        case value(Bool)
    }

    /// The expected members except the AAGUID and the options; other members are unexpected.
    var members: [InfoMember: Value]
    var options: [String: Option]

    package var versions: [String] { names(of: .versions) }
    package var extensions: [String] { names(of: .extensions) }

    private func names(of member: InfoMember) -> [String] {
        guard case .set(let names) = members[member] else { return [] }
        return names.sorted()
    }

    /// The firmware versions the expectation holds for; nil for keys that do not report one.
    package var firmware: ClosedRange<Int>? {
        guard case .number(let range) = members[.firmwareVersion] else { return nil }
        return range
    }
}
