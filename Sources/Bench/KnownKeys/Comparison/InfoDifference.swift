internal import CTAP

/// One way in which a key differs from the known one.
package struct InfoDifference: Codable, Hashable, Sendable {
    /// The kinds of difference.
    package enum Kind: String, Codable, Sendable {
        /// It lacks what is expected.
        case missing
        /// It has what is not listed.
        case unexpected
        /// It has another value.
        case different
    }

    /// Where: a member of getInfo, one of its items (`extensions.credBlob`), an option (`options.alwaysUv`), or `usb`.
    package let place: String
    /// Which kind.
    package let kind: Kind
    /// What the data file says; nil for what it does not list.
    package let expected: String?
    /// What the key says; nil for what it lacks.
    package let found: String?
    /// The difference in words, such as "maxMsgSize is 1024, expected 1200".
    package let sentence: String
    /// Why this can be, where the data file knows.
    package internal(set) var explanation: String?

    init(_ place: String, _ kind: Kind, expected: String? = nil, found: String? = nil, _ sentence: String) {
        self.place = place
        self.kind = kind
        self.expected = expected
        self.found = found
        self.sentence = sentence
    }

    /// Whether a text can be a place.
    static func isPlace(_ text: String) -> Bool {
        if text == "usb" { return true }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let member = parts.first.flatMap({ InfoMember(name: String($0)) }) else { return false }
        guard parts.count == 2 else { return member != .options }
        return (member.kind == .set || member == .options) && !parts[1].isEmpty
    }
}
