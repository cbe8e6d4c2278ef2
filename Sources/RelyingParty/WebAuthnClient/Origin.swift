/// The caller of a ceremony: a web origin such as `https://example.org:8443`, or an app with its facet.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The properties that determine the RP IDs the caller may claim.
    enum Caller: Hashable, Sendable {
        case web(scheme: String, host: Host)
        case app(associatedDomains: [String])
    }

    enum Host: Hashable, Sendable {
        case domain(String)
        case address(String)
    }

    let caller: Caller
    /// The serialisation in client data.
    public let description: String

    /// A native app, which may claim the domains that list it in their association file.
    ///
    /// - Parameters:
    ///   - facet: the origin in client data: `android:apk-key-hash:…` on Android, `https://` and the RP ID on iOS.
    ///   - associatedDomains: the RP IDs the app may claim, from `assetlinks.json` or `apple-app-site-association`.
    public static func app(facet: String, associatedDomains: [String]) -> Origin {
        Origin(caller: .app(associatedDomains: associatedDomains), description: facet)
    }

    private init(caller: Caller, description: String) {
        self.caller = caller
        self.description = description
    }

    /// The reason why a text is not the serialisation of an origin.
    public enum ParsingError: String, Error, Hashable, Sendable, CustomStringConvertible {
        case scheme, host, port, defaultPort, path

        /// The rule that the text breaks.
        public var description: String {
            switch self {
            case .scheme: "an origin begins with a lower-case scheme and ://"
            case .host: "an origin's host is a lower-case ASCII domain, an IPv4 address or a bracketed IPv6 address"
            case .port: "an origin's port is a number from 0 to 65535 without leading zeros"
            case .defaultPort: "an origin leaves out the port that is its scheme's default"
            case .path: "an origin has no path, query or user name"
            }
        }
    }

    /// Reads the serialisation `scheme://host[:port]` (HTML §7.1.1); nothing is normalised.
    ///
    /// - Throws: ``ParsingError``.
    public init(parsing text: String) throws(ParsingError) {
        guard let separator = text.firstRange(of: "://") else { throw .scheme }
        let scheme = String(text[..<separator.lowerBound])
        guard let first = scheme.utf8.first, Self.isLowerLetter(first),
            scheme.utf8.allSatisfy({ Self.isLowerLetter($0) || Self.isDigit($0) || "+-.".utf8.contains($0) })
        else { throw .scheme }
        let authority = text[separator.upperBound...]
        guard !authority.contains(where: { "/?#@\\".contains($0) }) else { throw .path }

        let hostEnd: Substring.Index
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else { throw .host }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        guard let host = Self.host(authority[..<hostEnd]) else { throw .host }

        let rest = authority[hostEnd...]
        if !rest.isEmpty {
            let digits = rest.dropFirst()
            guard rest.first == ":", !digits.isEmpty, digits.utf8.allSatisfy(Self.isDigit),
                let port = UInt16(digits), String(port) == digits
            else { throw .port }
            guard (scheme == "https" ? 443 : scheme == "http" ? 80 : nil) != port else { throw .defaultPort }
        }
        caller = .web(scheme: scheme, host: host)
        description = text
    }

    static func host(_ text: Substring) -> Host? {
        if text.first == "[" {
            let inner = text.dropFirst().dropLast()
            let hex = inner.utf8.allSatisfy { isDigit($0) || (0x61...0x66).contains($0) || $0 == 0x3A }
            return hex && (2...7).contains(inner.count { $0 == ":" }) ? .address(String(text)) : nil
        }
        guard isDomain(text) else { return nil }
        let labels = text.split(separator: ".")
        // A host whose last label is a number must be an IPv4 address (URL §3.5).
        guard let last = labels.last, last.utf8.allSatisfy(isDigit) else { return .domain(String(text)) }
        let isAddress = labels.count == 4 && labels.allSatisfy { UInt8($0).map(String.init) == String($0) }
        return isAddress ? .address(String(text)) : nil
    }

    /// Dot-separated labels of 1 to 63 lower-case letters, digits and inner hyphens; at most 253 characters.
    static func isDomain(_ text: some StringProtocol) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 253 else { return false }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { isLowerLetter($0) || isDigit($0) || $0 == 0x2D }
        }
    }

    private static func isLowerLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
