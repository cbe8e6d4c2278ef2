internal import CTAP

extension Origin {
    /// The U2F app ID of a call from this origin (FIDO AppID and Facet Specification §3.1.2).
    ///
    /// An empty app ID means the caller's own facet. A page may claim any `https` URL on its own site; like browsers,
    /// the client does not fetch the list of trusted facets. An app may claim a URL on an associated domain.
    ///
    /// - Throws: `SecurityError`.
    func appID(claiming claimed: String) throws(WebAuthnClientError) -> String {
        if claimed.isEmpty || claimed == description { return description }
        let isAuthorized =
            switch (caller, Self.httpsHost(of: claimed)) {
            case (.web(_, .domain(let own)), let host?): PublicSuffixes.isSameSite(own, host)
            case (.app(let domains), let host?): domains.contains(host)
            case (.web(_, .address), _), (_, nil): false
            }
        guard isAuthorized else {
            throw WebAuthnClientError(
                .securityError, .appIDNotAuthorized, detail: "\(self) claims app ID \(claimed)")
        }
        return claimed
    }

    private static func httpsHost(of url: String) -> String? {
        let scheme = "https://"
        guard url.hasPrefix(scheme) else { return nil }
        let authority = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let host = authority.prefix { $0 != ":" }
        return isDomain(host) ? String(host) : nil
    }
}
