internal import CTAP

extension Origin {
    /// The RP ID of a call from this origin (WebAuthn L3 §5.1.3, §5.1.4, "effective domain" and "rp.id").
    ///
    /// A page must be in a secure context: `https`, or `http` on `localhost` and its subdomains. Its RP ID is its host
    /// or a registrable suffix of it: not a public suffix, and not a single label except `localhost`. An IP address
    /// can claim no RP ID. Without libpsl (the trait `SystemLibraries`, and on Apple's systems always), single labels
    /// are the only public suffixes: a page below `co.uk` may claim `co.uk`. An app may claim its associated domains. Related origins (`/.well-known/webauthn`) are not
    /// supported.
    ///
    /// - Parameter claimed: the RP ID in the options; nil means the host.
    /// - Throws: `SecurityError`.
    package func relyingPartyID(claiming claimed: String?) throws(WebAuthnClientError) -> String {
        switch caller {
        case .app(let associatedDomains):
            guard let claimed else { throw refused(.rpIDMissing, nil) }
            guard associatedDomains.contains(claimed) else { throw refused(.rpIDNotAssociated, claimed) }
            return claimed
        case .web(_, .address): throw refused(.originIsAddress, claimed)
        case .web(let scheme, .domain(let host)):
            let isLocal = host == "localhost" || host.hasSuffix(".localhost")
            guard scheme == "https" || (scheme == "http" && isLocal) else { throw refused(.insecureOrigin, claimed) }
            let relyingPartyID = claimed ?? host
            guard
                relyingPartyID == host || (Self.isDomain(relyingPartyID) && host.hasSuffix("." + relyingPartyID))
            else { throw refused(.rpIDMismatch, claimed) }
            let isItself = relyingPartyID == host
            guard relyingPartyID.contains(".") || (isItself && host == "localhost") else {
                throw refused(.rpIDSingleLabel, relyingPartyID)
            }
            // A host that is a public suffix may claim itself, but no host below it may claim it.
            guard isItself || !PublicSuffixes.contains(relyingPartyID) else {
                throw refused(.rpIDPublicSuffix, relyingPartyID)
            }
            return relyingPartyID
        }
    }

    /// Whether a text is an RP ID, a domain as browsers compare it (WebAuthn L3 §4): neither a URL nor an IP address.
    package static func isRelyingPartyID(_ text: String) -> Bool {
        if case .domain = host(text[...]) { true } else { false }
    }

    private func refused(_ reason: RefusalReason, _ claimed: String?) -> WebAuthnClientError {
        WebAuthnClientError(
            .securityError, reason, detail: "\(self) claims " + (claimed.map { "RP ID \($0)" } ?? "no RP ID"))
    }
}
