internal import CTAP

/// What the getInfo of a known key is expected to say.
package struct ExpectedInfo: Hashable, Sendable {
    /// What is expected of one member.
    enum Value: Hashable, Sendable {
        /// It is there; its value depends on how the key is set up.
        case present
        /// These, in any order.
        case set(Set<String>)
        /// These, in this order.
        case preference([String])
        /// A number within these bounds.
        case number(ClosedRange<Int>)
        case flag(Bool)
        case text(String)
        case levels([String: Int])
    }

    /// What is expected of one option.
    enum Option: Hashable, Sendable {
        /// It is there; its value depends on how the key is set up.
        case present
        case value(Bool)
    }

    /// The members but for the AAGUID and the options; what is not here is not expected.
    var members: [InfoMember: Value]
    /// The options.
    var options: [String: Option]

    /// The protocols, without order.
    package var versions: [String] { names(of: .versions) }
    /// The extensions, without order.
    package var extensions: [String] { names(of: .extensions) }

    private func names(of member: InfoMember) -> [String] {
        guard case .set(let names) = members[member] else { return [] }
        return names.sorted()
    }

    /// The firmware numbers it holds for; nil where keys do not tell.
    package var firmware: ClosedRange<Int>? {
        guard case .number(let range) = members[.firmwareVersion] else { return nil }
        return range
    }
}
