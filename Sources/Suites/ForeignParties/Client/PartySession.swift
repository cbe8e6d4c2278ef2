internal import Documents
internal import Foundation
internal import LoopbackHTTP
package import RelyingPartyServer
internal import Synchronization
package import VirtualAuthenticator
internal import WebAuthn

/// A browser's session with a foreign relying party: cookies, CSRF token, kept texts and the account.
package final class PartySession: Sendable {
    private struct State {
        var jar = CookieJar()
        var token: String?
        var kept: [String: String] = [:]
        var account: PartyAccounts.Account?
        var hasSentToken = false
        var exchanges: [RelyingPartyExchange] = []
        var lastAnswer: JSONValue?
    }

    package let party: ForeignParty
    private let http: LoopbackClient
    private let accounts: PartyAccounts
    private let onExchange: @Sendable (RelyingPartyExchange) -> Void
    private let state = Mutex(State())

    /// - Parameter accounts: the accounts of the run, which its sessions share.
    package convenience init(
        _ party: ForeignParty, accounts: PartyAccounts,
        onExchange: @escaping @Sendable (RelyingPartyExchange) -> Void = { _ in }
    ) {
        self.init(party, http: party.client, accounts: accounts, onExchange: onExchange)
    }

    /// Another browser on the same pages, with a session of its own, that knows the same account.
    package convenience init(beside other: PartySession) {
        self.init(other.party, http: other.http, accounts: other.accounts, onExchange: other.onExchange)
        let account = other.state.withLock(\.account)
        state.withLock { $0.account = account }
    }

    private init(
        _ party: ForeignParty, http: LoopbackClient, accounts: PartyAccounts,
        onExchange: @escaping @Sendable (RelyingPartyExchange) -> Void
    ) {
        (self.party, self.http, self.accounts, self.onExchange) = (party, http, accounts, onExchange)
    }

    /// A short text that no other run has.
    package static func newTag(_ random: any RandomSource = SystemRandomSource()) -> String {
        Hex.encode(random.bytes(4))
    }

    package func takeExchanges() -> [RelyingPartyExchange] {
        state.withLock { state in
            defer { state.exchanges = [] }
            return state.exchanges
        }
    }

    /// The last exchange; nil before the first, and after ``takeExchanges()``.
    package var lastExchange: RelyingPartyExchange? { state.withLock(\.exchanges.last) }

    /// An account's name at the relying party, for a name of the run.
    package func accountName(_ name: String) -> String { accounts.name(name) }

    /// The attributes of the cookies that the session has, by name.
    package var cookies: [String: [String]] { state.withLock { $0.jar.cookies.mapValues(\.attributes) } }

    /// Makes an account, or takes one that exists, and signs in to it where the relying party does.
    ///
    /// - Parameter isShared: whether existing accounts that do not suffice take turns.
    /// - Returns: whether the relying party made it.
    /// - Throws: ``PartyError``, also where the existing accounts do not suffice, or `CancellationError`.
    package func makeAccount(
        _ name: String, displayName: String? = nil, password: String? = nil, isShared: Bool = false, userAgent: String
    ) async throws -> Bool {
        let account = try accounts.take(name, displayName: displayName, password: password, isShared: isShared)
        state.withLock { $0.account = account }
        for request in party.account {
            guard try await send(request, userAgent: userAgent).isSuccess else { return false }
        }
        return true
    }

    /// Takes an account that exists, or that no relying party has, as the one that requests name.
    package func know(_ name: String) {
        let account = accounts.account(name)
        state.withLock { $0.account = account }
    }

    /// - Returns: the options as JSON in WebAuthn's form; nil when the relying party refuses.
    /// - Throws: ``PartyError`` for an answer without options, or `CancellationError`.
    package func begin(
        _ ceremony: PartyCeremony, requirements: PartyRequirements = PartyRequirements(), userAgent: String
    ) async throws -> [UInt8]? {
        var values = requirements.values.reduce(into: [:]) { $0[$1.key.rawValue] = JSONValue.text($1.value) }
        if let account = requirements.account {
            for name in [PartyPlaceholder.account, .namedAccount] {
                values[name.rawValue] = .text(accountName(account))
            }
        }
        let exchange = try await send(ceremony.begin, values: values, userAgent: userAgent)
        guard exchange.isSuccess else { return nil }
        let options = ceremony.changed(party.bytes.options(try ceremony.options(in: exchange)))
        let named = options["rp"]?["id"]?.text ?? options["rpId"]?.text
        if let expected = party.relyingPartyID, let named, named != expected {
            throw PartyError.unexpected("the options name the RP ID \(named), the description \(expected)")
        }
        return try options.bytes()
    }

    /// Completes a ceremony with the client's response, and returns whether the relying party accepts it.
    ///
    /// - Throws: ``PartyError``, or `CancellationError`.
    package func complete(_ ceremony: PartyCeremony, response: [UInt8], userAgent: String) async throws -> Bool {
        let response = party.bytes.response(try JSONValue(parsing: response))
        let values: [String: JSONValue] = [
            PartyPlaceholder.credential.rawValue: response,
            PartyPlaceholder.credentialText.rawValue: .text(PartyTemplate.words(of: response)),
        ]
        let exchange = try await send(ceremony.complete, values: values, userAgent: userAgent)
        let answer = try? JSONValue(parsing: exchange.body)
        state.withLock { $0.lastAnswer = answer }
        return exchange.isSuccess
    }

    /// The IDs of the account's passkeys; nil when the relying party refuses.
    ///
    /// - Parameter isRecorded: whether the exchange is among those that ``takeExchanges()`` returns.
    package func passkeys(
        _ passkeys: PartyPasskeys, userAgent: String, isRecorded: Bool = true
    ) async throws -> [String]? {
        let exchange = try await send(passkeys.list, userAgent: userAgent, isRecorded: isRecorded)
        guard exchange.isSuccess else { return nil }
        guard let items = (try? JSONValue(parsing: exchange.body))?.value(at: passkeys.pointer ?? "")?.array else {
            throw PartyError.unexpected("the answer to \(exchange.request) has no list at \(passkeys.pointer ?? "/")")
        }
        return try items.map { item in
            guard let id = item.value(at: passkeys.id) else {
                throw PartyError.unexpected("an item of the answer to \(exchange.request) has no \(passkeys.id)")
            }
            return PartyTemplate.words(of: id)
        }
    }

    /// Deletes a passkey, and returns whether the relying party did.
    package func deletePasskey(_ id: String, by request: PartyRequest, userAgent: String) async throws -> Bool {
        let values = [PartyPlaceholder.passkey.rawValue: JSONValue.text(id)]
        return try await send(request, values: values, userAgent: userAgent).isSuccess
    }

    /// Ends the session, and forgets the cookies.
    package func signOut(userAgent: String) async throws {
        _ = try await endSession(userAgent: userAgent)
        forget()
    }

    /// Asks the relying party to end the session, and returns whether it does; nil where the description does not say how.
    func endSession(userAgent: String) async throws -> Bool? {
        guard let request = party.signOut else { return nil }
        return try await send(request, userAgent: userAgent).isSuccess
    }

    /// Forgets the cookies and the CSRF token, as a browser with a new profile.
    func forget() { state.withLock { state in (state.jar, state.token) = (CookieJar(), nil) } }

    /// Whether a request has sent a CSRF token.
    var hasSentToken: Bool { state.withLock(\.hasSentToken) }

    /// The account's name by the relying party's word; nil for none, and where the description does not say.
    ///
    /// - Parameter isRecorded: whether the exchange is among those that ``takeExchanges()`` returns.
    package func identity(userAgent: String, isRecorded: Bool = true) async throws -> String? {
        guard let identity = party.identity else { return nil }
        guard let request = identity.request else {
            return state.withLock(\.lastAnswer)?.value(at: identity.pointer).map(PartyTemplate.words)
        }
        let exchange = try await send(request, userAgent: userAgent, isRecorded: isRecorded)
        guard exchange.isSuccess else { return nil }
        return (try? JSONValue(parsing: exchange.body))?.value(at: identity.pointer).map(PartyTemplate.words)
    }

    private func send(
        _ request: PartyRequest, values: [String: JSONValue] = [:], userAgent: String, isRecorded: Bool = true
    ) async throws -> RelyingPartyExchange {
        if let csrf = party.csrf, let path = csrf.fetch, request.method != .get, token(csrf) == nil {
            _ = try await exchange(.get, path.text(self.values), [], [], userAgent)
            guard token(csrf) != nil else {
                throw PartyError.unexpected("the answer to \(path.text([:])) has no CSRF token")
            }
        }
        let values = self.values.merging(values) { $1 }
        var fields = request.headers.merging(party.headers) { own, _ in own }.map { ($0.key, $0.value.text(values)) }
        let token = party.csrf.flatMap(token)
        if request.method != .get, let token, let name = party.csrf?.header {
            fields.append((name, token))
            state.withLock { $0.hasSentToken = true }
        }
        if let broken = fields.first(where: { HeaderFields.isBroken($0.1) }) {
            throw PartyError.unexpected("the value of the field \(broken.0) has a line break or a control character")
        }
        var bytes: [UInt8] = []
        if let body = request.body?.filled(values) {
            bytes = try body.bytes()
            Self.add("Content-Type", "application/json", to: &fields)
        } else if var form = request.form?.filled(values)?.object {
            if let token, let name = party.csrf?.field {
                form[name] = .text(token)
                state.withLock { $0.hasSentToken = true }
            }
            bytes = Array(Self.encoded(form).utf8)
            Self.add("Content-Type", "application/x-www-form-urlencoded", to: &fields)
        }
        if token != nil, request.mentions(.csrf) { state.withLock { $0.hasSentToken = true } }
        let target = request.path.text(values)
        let answer = try await exchange(request.method, target, fields, bytes, userAgent)
        let exchange = self.exchange("\(request.method.rawValue) \(target)", bytes, answer, of: request)
        if exchange.isSuccess { try keep(request.kept, of: exchange) }
        if isRecorded {
            state.withLock { $0.exchanges.append(exchange) }
            onExchange(exchange)
        }
        return exchange
    }

    /// Sends a request within the time limit, and keeps the cookies and texts of the answer.
    private func exchange(
        _ method: PartyRequest.Method, _ target: String, _ fields: [(String, String)], _ body: [UInt8],
        _ userAgent: String
    ) async throws -> LoopbackClient.Answer {
        var fields = fields
        Self.add("User-Agent", userAgent, to: &fields)
        // Browsers state the origin of a request that may change something (Fetch §3.2).
        if method != .get { Self.add("Origin", party.origin, to: &fields) }
        if let cookies = state.withLock(\.jar.field) {
            if let own = fields.firstIndex(where: { $0.0.lowercased() == "cookie" }) {
                fields[own].1 += "; \(cookies)"
            } else {
                fields.append(("Cookie", cookies))
            }
        }
        let path = party.address.path + target
        let answer: LoopbackClient.Answer
        do {
            answer = try await limited("\(method.rawValue) \(path)") { [http, fields] in
                try await http.send(method.rawValue, path, fields: fields, body: body)
            }
        } catch let error as LoopbackClientError {
            throw PartyError(error, at: party.address)
        }
        if party.address.scheme == .http, answer.asksForHTTPS(of: party.address.host) {
            throw PartyError.unreachable("\(party.address) answers on https only; write https:// in its url")
        }
        state.withLock { state in
            for cookie in answer.values(of: "set-cookie") { state.jar.keep(cookie) }
            if let token = party.csrf.flatMap({ $0.token(in: answer) }) { state.token = token }
        }
        return answer
    }

    /// Adds a field of the client, unless the description declares it.
    private static func add(_ name: String, _ value: String, to fields: inout [(String, String)]) {
        guard !fields.contains(where: { $0.0.lowercased() == name.lowercased() }) else { return }
        fields.append((name, value))
    }

    private func limited(
        _ request: String, _ work: @escaping @Sendable () async throws -> LoopbackClient.Answer
    ) async throws -> LoopbackClient.Answer {
        let party = party
        return try await withThrowingTaskGroup(of: LoopbackClient.Answer.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: party.timeLimit)
                throw PartyError.unreachable(
                    "\(party.address) did not answer \(request) within \(party.timeLimit); time-limit in \(party.file) "
                        + "raises the limit")
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
        }
    }

    private func exchange(
        _ title: String, _ body: [UInt8], _ answer: LoopbackClient.Answer, of request: PartyRequest
    ) -> RelyingPartyExchange {
        let json = try? JSONValue(parsing: answer.body)
        let location = answer.values(of: "location").first.flatMap { URLComponents(string: $0)?.path } ?? ""
        let shortcoming = request.shortcoming(ofStatus: answer.status, json, location: location)
        let stated = party.error.flatMap { json?.value(at: $0) }.map(PartyTemplate.words)
        return RelyingPartyExchange(
            request: title, requestBody: body, status: answer.status, body: answer.body,
            contentType: answer.values(of: "content-type").first?.split(separator: ";").first.map(String.init),
            isSuccess: shortcoming == nil,
            problem: RelyingPartyExchange.Problem(
                code: stated ?? "http.\(answer.status)", message: stated ?? shortcoming ?? ""))
    }

    private func keep(_ kept: [String: KeptText], of exchange: RelyingPartyExchange) throws(PartyError) {
        guard !kept.isEmpty else { return }
        let json = try? JSONValue(parsing: exchange.body)
        for (name, text) in kept {
            guard let value = json?.value(at: text.pointer) else {
                throw .unexpected("the answer to \(exchange.request) has nothing at \(text.pointer)")
            }
            state.withLock { $0.kept[name] = PartyTemplate.words(of: value) }
        }
    }

    /// The values that every request may use.
    private var values: [String: JSONValue] {
        let (kept, account) = state.withLock { ($0.kept, $0.account) }
        var values = kept.mapValues(JSONValue.text)
        values[PartyPlaceholder.csrf.rawValue] = party.csrf.flatMap(token).map(JSONValue.text)
        guard let account else { return values }
        values[PartyPlaceholder.account.rawValue] = .text(account.name)
        values[PartyPlaceholder.displayName.rawValue] = .text(account.displayName)
        values[PartyPlaceholder.password.rawValue] = .text(account.password)
        return values
    }

    private func token(_ csrf: CSRFToken) -> String? {
        state.withLock { state in
            if case .cookie(let name) = csrf.origin { state.jar.cookies[name]?.value } else { state.token }
        }
    }

    /// Fields as `application/x-www-form-urlencoded`.
    private static func encoded(_ form: [String: JSONValue]) -> String {
        let safe = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: safe) ?? "" }
        return form.sorted { $0.key < $1.key }
            .map { "\(encoded($0.key))=\(encoded(PartyTemplate.words(of: $0.value)))" }.joined(separator: "&")
    }
}

extension ForeignParty {
    /// A client of its address.
    var client: LoopbackClient {
        let tls = address.scheme == .https ? ClientTLS(host: address.host, authorities: authorities) : nil
        return LoopbackClient(host: address.host, port: address.port, tls: tls)
    }
}

extension CSRFToken {
    /// The token in an answer; a cookie's is in the jar.
    fileprivate func token(in answer: LoopbackClient.Answer) -> String? {
        switch origin {
        case nil, .cookie: nil
        case .header(let name): answer.values(of: name).first
        case .json(let pointer): (try? JSONValue(parsing: answer.body))?.value(at: pointer)?.text
        case .field(let name): PageText.field(name, of: String(decoding: answer.body, as: UTF8.self))
        }
    }
}

extension PartyCeremony {
    fileprivate func changed(_ options: JSONValue) -> JSONValue {
        changes.reduce(options) { options, change in
            options.setting(change.key.split(separator: "/").map(String.init), to: change.value)
        }
    }

    fileprivate func options(in exchange: RelyingPartyExchange) throws(PartyError) -> JSONValue {
        var bytes = exchange.body
        if let element {
            guard let text = PageText.element(element, of: String(decoding: bytes, as: UTF8.self)) else {
                throw .unexpected("the answer to \(exchange.request) has no element with the ID \(element)")
            }
            bytes = Array(text.utf8)
        }
        guard let json = try? JSONValue(parsing: bytes) else {
            throw .unexpected("the answer to \(exchange.request) is not JSON")
        }
        guard let options = json.value(at: options ?? "") else {
            throw .unexpected("the answer to \(exchange.request) has no options at \(options ?? "/")")
        }
        guard options["challenge"] != nil else {
            throw .unexpected(
                "the options in the answer to \(exchange.request) have no challenge; check the key options")
        }
        return options
    }
}

extension JSONValue {
    /// The same value with another member at a path of names.
    fileprivate func setting(_ path: some Collection<String>, to value: JSONValue) -> JSONValue {
        guard let name = path.first else { return value }
        var members = object ?? [:]
        members[name] = (members[name] ?? .object([:])).setting(path.dropFirst(), to: value)
        return .object(members)
    }
}
