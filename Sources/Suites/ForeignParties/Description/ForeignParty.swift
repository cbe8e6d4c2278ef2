package import Documents
internal import Foundation
internal import WebAuthnClient
internal import YAMLFiles

/// A relying party that is not Touchstone's own, as a file describes it.
package struct ForeignParty: Sendable {
    package let file: String
    package internal(set) var title = ""
    /// Where to find it and how to use it, for readers.
    package internal(set) var about = ""
    /// The address that paths are below.
    package internal(set) var address = PartyAddress()
    private var writtenOrigin: String?
    private var writtenAuthorities: String?
    /// The keys as they are written.
    private var written: JSONValue = [:]
    /// The relying party ID that the options must name; nil for any that the origin may claim.
    var relyingPartyID: String?
    /// The header fields that every request sends.
    var headers: [String: PartyTemplate] = [:]
    var bytes = PartyBytes.base64url
    var csrf: CSRFToken?
    /// The longest time that an answer may take.
    var timeLimit = Duration.seconds(30)
    /// The cookie that is the session; nil where the file does not say.
    var sessionCookie: String?
    /// Whether account names get a suffix of the run, so that a second run can make them again.
    var makesNamesUnique = true
    /// The requests that make an account, or sign in to an existing one; none where the registration makes it.
    var account: [PartyRequest] = []
    /// The accounts that the relying party has already; none where a client makes them.
    var existingAccounts: [ExistingAccount] = []
    package internal(set) var registration = PartyCeremony()
    package internal(set) var signIn = PartyCeremony()
    /// The verification of a user who is signed in; nil where there is none.
    package internal(set) var reauthentication: PartyCeremony?
    /// The account's passkeys; nil where the description does not say.
    package internal(set) var passkeys: PartyPasskeys?
    var signOut: PartyRequest?
    var identity: PartyIdentity?
    /// The JSON Pointer of the error in an answer that refuses.
    var error: String?

    /// Whether a request asks for the signed-in user at any time.
    package var asksForIdentity: Bool { identity?.request != nil }

    package var origin: String { writtenOrigin ?? address.origin }

    /// The error about authorities at an address on http; nil without authorities.
    var idleAuthorities: SourceError?
    /// The PEM file with authorities that sign its certificate; nil where the system knows them.
    var authorities: String? {
        writtenAuthorities.map { URL(filePath: $0, relativeTo: URL(filePath: file).deletingLastPathComponent()).path }
    }

    /// Whether expectations can see the code of a refusal.
    package var tellsErrors: Bool { error != nil }

    private init(file: String) { self.file = file }

    /// - Throws: ``SourceError`` with the place of the first mistake.
    package init(parsing text: String, file: String) throws(SourceError) {
        self.init(file: file)
        let root = try YAMLValue.parse(text, file: file)
        try Self.section.read(root, into: &self)
        written = JSONValue(root)
    }

    /// The description as JSON with the keys of the file, the address and the origin in use, and absolute paths.
    package var document: JSONValue {
        var members = written.object ?? [:]
        members["url"] = .text(address.description)
        members["origin"] = .text(origin)
        members["certificate-authorities"] = authorities.map { .text($0) }
        return .object(members)
    }

    /// The same relying party at another address; the origin follows unless the file declares it.
    package func at(_ address: PartyAddress) -> ForeignParty {
        var party = self
        party.address = address
        return party
    }

    static let section = DocumentSection<ForeignParty> {
        DocumentKey("name", \.title, .line, "A one-line title.", .required)
        DocumentKey("about", \.about, .text, "Where to find it and how to use it, for readers.")
        DocumentKey("url", \.address, PartyAddress.form, "The address that paths are below.", .required)
        DocumentKey("origin", \.writtenOrigin, .webOrigin, "The origin of its pages; default: that of url.")
        DocumentKey(
            "certificate-authorities", \.writtenAuthorities, .line,
            "A PEM file, beside this one, with authorities that are trusted on https besides those of the system.")
        DocumentKey(
            "rp-id", \.relyingPartyID, .line,
            "The relying party ID that options must name; default: any that the origin may claim.")
        DocumentKey("headers", \.headers, HeaderFields.form, "The header fields that every request sends.")
        DocumentKey("bytes", \.bytes, .choice, "The form of bytes in options and responses; default: base64url.")
        DocumentKey("csrf", \.csrf, CSRFToken.form, "The CSRF token.")
        DocumentKey("time-limit", \.timeLimit, .span, "The longest time that an answer may take; default: 30 s.")
        DocumentKey("session-cookie", \.sessionCookie, .line, "The name of the session's cookie, for the check.")
        DocumentKey(
            "unique-names", \.makesNamesUnique, .flag,
            "Whether account names get a suffix that differs in each run; default: true.")
        DocumentKey(
            "account", \.account, .list(of: PartyRequest.shape),
            "The requests that make an account and sign in to it; default: registering makes it.")
        DocumentKey(
            "existing-accounts", \.existingAccounts,
            .list(of: ExistingAccount.form, orElse: "expected at least one account; list one, or remove the key"),
            "The accounts of a server that lets no client make one; the requests under account sign in to them.")
        DocumentKey("registration", \.registration, PartyCeremony.form, "Registers a passkey.", .required)
        DocumentKey("sign-in", \.signIn, PartyCeremony.form, "Signs in with a passkey.", .required)
        DocumentKey(
            "reauthentication", \.reauthentication, PartyCeremony.form,
            "Verifies a user who is signed in; default: none.")
        DocumentKey("sign-out", \.signOut, PartyRequest.shape, "Ends the session; default: the cookies are forgotten.")
        DocumentKey("passkeys", \.passkeys, PartyPasskeys.form, "How to list and delete an account's passkeys.")
        DocumentKey("identity", \.identity, PartyIdentity.form, "How to read the name of the signed-in user.")
        DocumentKey(
            "error", \.error, .pointer, "The JSON Pointer of the error in an answer that refuses, for expectations.")
    } check: { party, fields in
        try fields.needContent("headers", "account")
        try party.checkMentions()
        try party.checkToken(fields)
        try party.checkAuthorities(fields)
        try party.checkExistingAccounts(fields, party.requests)
    }

    var requests: [PartyRequest] {
        account + [signOut, identity?.request].compactMap(\.self) + (passkeys?.requests ?? [])
            + ceremonies.flatMap(\.requests)
    }

    var ceremonies: [PartyCeremony] { [registration, signIn] + [reauthentication].compactMap(\.self) }
}

extension Form where Value == String {
    fileprivate static var webOrigin: Form {
        Form(.scalar, words: "an origin") { value in
            let text = try value.string()
            do {
                return try Origin(parsing: text).description
            } catch {
                throw value.error("\"\(text)\" is not an origin: \(error); write one such as https://example.com")
            }
        }
    }
}
