package import Documents
internal import Foundation

/// Checks that every part of a description has an effect.
extension ForeignParty {
    /// Checks that every name in braces has a value where it stands, and that every kept text is used.
    func checkMentions() throws(SourceError) {
        let requests = requests
        let kept = Set(requests.flatMap(\.kept.keys))
        for ceremony in ceremonies {
            try check(ceremony.begin.mentions, at: .begin, kept)
            try check(ceremony.complete.mentions, at: .complete, kept)
        }
        try check(passkeys?.delete?.mentions ?? [], at: .deletion, kept)
        let others = account + [signOut, identity?.request, passkeys?.list].compactMap(\.self)
        try check(others.flatMap(\.mentions) + headers.values.flatMap(\.mentions), at: nil, kept)
        try check(csrf?.fetch?.mentions ?? [], at: nil, kept)
        let used = Set(mentions.map(\.name))
        for request in requests {
            for (name, text) in request.kept.sorted(by: { $0.key < $1.key }) where !used.contains(name) {
                throw text.source.error("no request uses {\(name)}; write it into one, or remove it under keep")
            }
        }
    }

    private var mentions: [PartyTemplate.Mention] {
        requests.flatMap(\.mentions) + headers.values.flatMap(\.mentions) + (csrf?.fetch?.mentions ?? [])
    }

    private func check(
        _ mentions: [PartyTemplate.Mention], at place: PartyPlaceholder.Place?, _ kept: Set<String>
    ) throws(SourceError) {
        for mention in mentions where !kept.contains(mention.name) {
            guard let placeholder = PartyPlaceholder(rawValue: mention.name) else {
                let names = PartyPlaceholder.allCases.map(\.rawValue) + kept.sorted()
                throw mention.source.error(
                    "{\(mention.name)} has no value; expected one of \(names.joined(separator: ", "))"
                        + ", or a name under keep")
            }
            guard placeholder != .csrf || csrf != nil else {
                throw mention.source.error("{csrf} has no value; add csrf with the place of the token")
            }
            if let needed = placeholder.place, needed != place {
                throw mention.source.error("{\(mention.name)} belongs under \(needed.rawValue)")
            }
        }
    }

    /// Checks that a CSRF token is sent.
    func checkToken(_ fields: YAMLFields) throws(SourceError) {
        guard let csrf, let written = fields["csrf"] else { return }
        let isMentioned = mentions.contains { $0.name == PartyPlaceholder.csrf.rawValue }
        guard csrf.header != nil || csrf.field != nil || isMentioned else {
            throw written.error(
                "no request sends the token; add send-header or send-field, or write {csrf} into a body")
        }
        if csrf.field != nil, !requests.contains(where: { $0.form != nil }) {
            throw (written.written(under: "send-field") ?? written)
                .error("no request has a form; add send-header, or write {csrf} into a body")
        }
    }

    /// Checks that authorities can be read.
    mutating func checkAuthorities(_ fields: YAMLFields) throws(SourceError) {
        guard let written = fields["certificate-authorities"], let authorities else { return }
        idleAuthorities = written.error("a url on http has no certificate; write https:// in url, or remove the key")
        guard FileManager.default.fileExists(atPath: authorities) else {
            throw written.error(
                "the file \(authorities) does not exist; correct the path, which is relative to this file")
        }
    }

    /// Checks the description with the address in use, which another one may replace.
    ///
    /// - Throws: ``SourceError`` for authorities at an address without a certificate.
    package func checkAddress() throws(SourceError) {
        if address.scheme != .https, let idleAuthorities { throw idleAuthorities }
    }
}

extension YAMLFields {
    /// Refuses lists and mappings that have no entry, and therefore no effect.
    func needContent(_ keys: String...) throws(SourceError) {
        for key in keys {
            try self[key]?.checkContent()
        }
    }
}
