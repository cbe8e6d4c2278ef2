package import DeviceProfiles
internal import Documents
internal import Foundation
internal import RelyingPartyServer
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// Checks that a foreign relying party works as its description says, with a simulated device.
package struct PartyCheck: Sendable {
    typealias Subject = PartyFinding.Subject

    let session: PartySession
    private let profile: DeviceProfile
    private let client: PartyCheckDevice
    private let origin: Origin
    let userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"

    var party: ForeignParty { session.party }

    /// - Throws: an error of the profile or of the origin.
    private init(_ party: ForeignParty, profile: DeviceProfile) async throws {
        session = PartySession(party, accounts: PartyAccounts(party, tag: PartySession.newTag()))
        self.profile = profile
        origin = try Origin(parsing: party.origin)
        client = try await PartyCheckDevice(profile, origin: origin)
    }

    /// Checks every part, each line as soon as it is known; lines that an earlier failure prevents are skipped.
    ///
    /// - Throws: ``PartyError/unreachable(_:)`` when the relying party does not answer, or `CancellationError`.
    package static func run(
        _ party: ForeignParty, profile: DeviceProfile, onFinding: (PartyFinding) -> Void = { _ in }
    ) async throws -> [PartyFinding] {
        let check = try await PartyCheck(party, profile: profile)
        var findings: [PartyFinding] = []
        func note(_ subject: Subject, _ outcome: PartyFinding.Outcome, _ detail: String) {
            let finding = PartyFinding(subject: subject, outcome: outcome, detail: detail)
            findings.append(finding)
            onFinding(finding)
        }
        do {
            try await check.perform(note)
        } catch let stop as Stop {
            note(stop.subject, .fails, stop.detail)
        }
        for subject in Subject.allCases where !findings.contains(where: { $0.subject == subject }) {
            note(subject, .skipped, "not reached")
        }
        return findings
    }

    /// The failure of a line without which the next ones cannot be checked.
    struct Stop: Error {
        let subject: Subject
        let detail: String
    }

    typealias Note = (Subject, PartyFinding.Outcome, String) -> Void

    /// The account of the check, by its name in the run.
    static let account = "check@example.com"

    private func perform(_ note: Note) async throws {
        let made = try await attempt(.account) {
            try await session.makeAccount(Self.account, displayName: "Check", userAgent: userAgent)
        }
        guard made else { throw Stop(subject: .account, detail: refusal) }
        note(
            .account, .works,
            party.account.isEmpty && !party.hasExistingAccounts
                ? "registering makes it" : session.accountName(Self.account))
        let passkey = try await register(note)
        try await attempt(.signInBegin) { try await session.signOut(userAgent: userAgent) }
        try await signIn(note)
        let isKnown = try await identity(note)
        let listed = try await passkeys(note)
        try await reauthenticate(note)
        cookies(note)
        csrf(note)
        try await signOut(note, isKnown: isKnown)
        error(note, in: try await refusesWrongSignature(note))
        try await refusesReplays(note)
        try await deletePasskey(note, of: listed, first: passkey)
    }

    /// Registers the check's passkey, and returns its ID.
    private func register(_ note: Note) async throws -> String? {
        let begun = try await attempt(.registrationBegin) {
            try await session.begin(party.registration, userAgent: userAgent)
        }
        guard let options = begun else { throw Stop(subject: .registrationBegin, detail: refusal) }
        let response = try await attempt(.registrationBegin) { try await client.create(options) }
        let rpID = (try? JSONValue(parsing: options))?["rp"]?["id"]?.text
        note(.registrationBegin, .works, "options" + (rpID.map { " for the RP ID \($0)" } ?? ""))
        let accepted = try await attempt(.registrationComplete) {
            try await session.complete(party.registration, response: response, userAgent: userAgent)
        }
        guard accepted else { throw Stop(subject: .registrationComplete, detail: refusal) }
        note(.registrationComplete, .works, last)
        return (try? JSONValue(parsing: response))?["id"]?.text
    }

    /// Registers another passkey of another device, as far as the relying party allows it.
    func registerAnother() async throws {
        let device = try await PartyCheckDevice(profile, origin: origin)
        guard let options = try await session.begin(party.registration, userAgent: userAgent) else { return }
        let response = try await device.create(options)
        _ = try await session.complete(party.registration, response: response, userAgent: userAgent)
    }

    private func signIn(_ note: Note) async throws {
        let options = try await begin(.signInBegin)
        let response = try await attempt(.signInBegin) { try await client.get(options) }
        let allowed = (try? JSONValue(parsing: options))?["allowCredentials"]?.array?.count ?? 0
        note(.signInBegin, .works, allowed == 0 ? "options for any passkey" : "options that allow \(allowed) of them")
        let accepted = try await attempt(.signInComplete) {
            try await session.complete(party.signIn, response: response, userAgent: userAgent)
        }
        guard accepted else { throw Stop(subject: .signInComplete, detail: refusal) }
        note(.signInComplete, .works, last)
    }

    /// Reads the account's name, and returns whether it is the right one.
    private func identity(_ note: Note) async throws -> Bool {
        guard let identity = party.identity else {
            note(.identity, .skipped, "the description has no identity")
            return false
        }
        let expected = session.accountName(Self.account)
        let seen = try await attempt(.identity) { try await session.identity(userAgent: userAgent) }
        let isRefused = lastExchange.map { !$0.isSuccess } ?? true
        let missing = isRefused ? refusal : "\(last) has nothing at \(identity.pointer)"
        let words = seen.map { $0 == expected ? $0 : "\($0), expected \(expected)" }
        note(.identity, seen == expected ? .works : .fails, words ?? missing)
        return seen == expected
    }

    private func reauthenticate(_ note: Note) async throws {
        guard let ceremony = party.reauthentication else {
            return note(.reauthentication, .skipped, "the description has no reauthentication")
        }
        do {
            let begun = try await session.begin(ceremony, userAgent: userAgent)
            guard let options = begun else { return note(.reauthentication, .fails, refusal) }
            let response = try await client.get(options)
            let accepted = try await session.complete(ceremony, response: response, userAgent: userAgent)
            note(.reauthentication, accepted ? .works : .fails, accepted ? last : refusal)
        } catch {
            note(.reauthentication, .fails, try Self.words(error))
        }
    }

    private func cookies(_ note: Note) {
        let cookies = session.cookies
        let words = cookies.sorted { $0.key < $1.key }.map { name, attributes in
            ([name] + attributes.filter { !$0.lowercased().hasPrefix("expires") }).joined(separator: "; ")
        }
        let seen = words.isEmpty ? "none" : words.joined(separator: ", ")
        guard let name = party.sessionCookie else {
            return note(.cookies, .skipped, "no session-cookie; seen: \(seen)")
        }
        guard let attributes = cookies[name] else { return note(.cookies, .fails, "no \(name); seen: \(seen)") }
        let isHidden = attributes.contains { $0.lowercased() == "httponly" }
        note(.cookies, isHidden ? .works : .fails, isHidden ? seen : "\(name) is not HttpOnly; seen: \(seen)")
    }

    /// Checks that the relying party refuses a changed response of the client.
    private func refuses(_ subject: Subject, _ note: Note, changed: (JSONValue) throws -> JSONValue) async throws {
        let options = try await begin(subject)
        let response = try await attempt(subject) { try await client.get(options) }
        let sent = try changed(try JSONValue(parsing: response)).bytes()
        let accepted = try await attempt(subject) {
            try await session.complete(party.signIn, response: sent, userAgent: userAgent)
        }
        note(subject, accepted ? .fails : .works, accepted ? "the relying party accepts it: \(last)" : last)
    }

    /// Checks that the relying party refuses a wrong signature, and signs no user in with it; returns its answer.
    private func refusesWrongSignature(_ note: Note) async throws -> RelyingPartyExchange? {
        let subject = Subject.wrongSignature
        func user() async throws -> String? {
            guard party.asksForIdentity else { return nil }
            return try await attempt(subject) { try await session.identity(userAgent: userAgent) }
        }
        let before = try await user()
        var finding: (PartyFinding.Outcome, String)?
        try await refuses(subject, { finding = ($1, $2) }, changed: { $0.withWrongSignature })
        let answer = lastExchange
        guard let (outcome, words) = finding else { return answer }
        let after = try await user()
        if outcome == .works, before == nil, let after {
            note(subject, .fails, "the relying party answers \(words), and signs \(after) in all the same")
        } else {
            note(subject, outcome, words)
        }
        return answer
    }

    /// Checks that the relying party accepts a challenge and a response once.
    ///
    /// It has to refuse a second response for the challenge, and the same response in its session and for another challenge.
    private func refusesReplays(_ note: Note) async throws {
        let subject = Subject.usedChallenge
        try await attempt(subject) { try await session.signOut(userAgent: userAgent) }
        let options = try await begin(subject)
        func sign() async throws -> [UInt8] {
            try await attempt(subject) { try await client.get(options) }
        }
        func isAccepted(_ response: [UInt8]) async throws -> Bool {
            try await attempt(subject) {
                try await session.complete(party.signIn, response: response, userAgent: userAgent)
            }
        }
        let response = try await sign()
        guard try await isAccepted(response) else { throw Stop(subject: subject, detail: refusal) }
        // A counter hides a kept challenge from the same response, so a second one comes first.
        let second = try await sign()
        for (sent, words) in [(second, "two responses for one challenge"), (response, "the same response twice")]
        where try await isAccepted(sent) {
            let line = last
            // A site that accepts every request of a signed-in user also accepts a wrong signature.
            if try await isAccepted(try JSONValue(parsing: sent).withWrongSignature.bytes()) { break }
            return note(subject, .fails, "the relying party accepts \(words): \(line)")
        }
        try await attempt(subject) { try await session.signOut(userAgent: userAgent) }
        try await refuses(subject, note) { _ in try JSONValue(parsing: response) }
    }

    /// Signs in once more, with another session.
    func signInAgain(_ subject: Subject) async throws {
        try await attempt(subject) { try await session.signOut(userAgent: userAgent) }
        let options = try await begin(subject)
        let accepted = try await attempt(subject) {
            try await session.complete(party.signIn, response: try await client.get(options), userAgent: userAgent)
        }
        guard accepted else { throw Stop(subject: subject, detail: refusal) }
    }

    private func begin(_ subject: Subject) async throws -> [UInt8] {
        let begun = try await attempt(subject) { try await session.begin(party.signIn, userAgent: userAgent) }
        guard let options = begun else { throw Stop(subject: subject, detail: refusal) }
        return options
    }

    /// Turns the errors of a line into its failure.
    func attempt<Result>(_ subject: Subject, _ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            throw Stop(subject: subject, detail: try Self.words(error))
        }
    }

    /// The words of a failure; an unreachable relying party and a cancelled task end the check.
    static func words(_ error: any Error) throws -> String {
        if case .unreachable? = error as? PartyError { throw error }
        if error is CancellationError { throw error }
        return "\(error)"
    }

    var last: String { lastExchange?.line ?? "" }

    /// The last request, its status and the error.
    var refusal: String {
        guard let exchange = lastExchange else { return "no answer" }
        let text = String(decoding: exchange.body.prefix(200), as: UTF8.self).prefix { !$0.isNewline }
        // An answer that looks like success needs the reason why it is none.
        let reason = (200..<300).contains(exchange.status) ? exchange.problem.map { " (\($0.message))" } ?? "" : ""
        return exchange.line + reason + (text.isEmpty ? "" : ": \(text)")
    }

    var lastExchange: RelyingPartyExchange? { session.lastExchange }
}

extension JSONValue {
    /// The same response with the last bit of its signature changed.
    fileprivate var withWrongSignature: JSONValue {
        guard var members = object, var inner = members["response"]?.object,
            var bytes = inner["signature"]?.text.flatMap(Base64URL.decode), !bytes.isEmpty
        else { return self }
        bytes[bytes.count - 1] ^= 1
        inner["signature"] = .text(Base64URL.encode(bytes))
        members["response"] = .object(inner)
        return .object(members)
    }
}
