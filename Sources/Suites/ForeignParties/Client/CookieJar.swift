/// The cookies of one session with one server.
struct CookieJar: Sendable {
    /// A cookie with the attributes that a check reports.
    struct Cookie: Hashable, Sendable {
        let name: String
        let value: String
        let attributes: [String]
    }

    private(set) var cookies: [String: Cookie] = [:]

    /// The value of a request's `Cookie` field; nil for none.
    var field: String? {
        let pairs = cookies.values.map { "\($0.name)=\($0.value)" }.sorted()
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }

    /// Keeps the cookie of a `Set-Cookie` field, or ends one (RFC 6265 §5.2): without a value or a life left.
    mutating func keep(_ field: String) {
        let parts = field.split(separator: ";").map { $0.trimmed }
        let pair = (parts.first ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = pair.first.map(String.init), !name.isEmpty, let value = pair.dropFirst().first else { return }
        let attributes = Array(parts.dropFirst())
        let lives = attributes.allSatisfy { attribute in
            let pair = attribute.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].lowercased() == "max-age", let seconds = Int(pair[1]) else { return true }
            return seconds > 0
        }
        // Servers end a cookie with an empty value and a date in the past.
        let isEmpty = value.isEmpty || value == "\"\""
        cookies[name] = lives && !isEmpty ? Cookie(name: name, value: String(value), attributes: attributes) : nil
    }
}

extension Substring {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
