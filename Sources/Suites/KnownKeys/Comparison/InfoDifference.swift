internal import CTAP

/// A difference between a key and the known key.
package struct InfoDifference: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// The key lacks an expected item.
        case missing
        /// The key has an unlisted item.
        case unexpected
        /// The key has another value.
        case different
    }

    /// The place: a member of getInfo, one of its items (`extensions.credBlob`), an option (`options.alwaysUv`), or `usb`.
    package let place: String
    package let kind: Kind
    /// The data file's value; nil for an unlisted item.
    package let expected: String?
    /// The key's value; nil for a missing item.
    package let found: String?
    /// The difference in words, such as "maxMsgSize is 1024, expected 1200".
    package let sentence: String
    /// The reason, if the data file gives one.
    package internal(set) var explanation: String?

    init(_ place: String, _ kind: Kind, expected: String? = nil, found: String? = nil, _ sentence: String) {
        self.place = place
        self.kind = kind
        self.expected = expected
        self.found = found
        self.sentence = sentence
    }

    static func isPlace(_ text: String) -> Bool {
        if text == "usb" { return true }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let member = parts.first.flatMap({ InfoMember(name: String($0)) }) else { return false }
        guard parts.count == 2 else { return member != .options }
        return (member.kind == .set || member == .options) && !parts[1].isEmpty
    }
}
