internal import Documents
internal import Foundation
internal import LoopbackHTTP

/// The DevTools domain `WebAuthn` for one client of a page: its virtual authenticators are simulated devices.
actor WebAuthnDomain {
    private enum Command: String, CaseIterable {
        case enable, disable, addVirtualAuthenticator, removeVirtualAuthenticator, setUserVerified
        case setAutomaticPresenceSimulation, setResponseOverrideBits, addCredential, getCredential, getCredentials
        case removeCredential, clearCredentials, setCredentialProperties
    }

    static let prefix = "WebAuthn."

    private let pages: SessionPages
    private let page: String?
    private let emit: @Sendable (_ event: String, _ params: JSONValue) -> Void
    /// The session at the control API, which keeps the authenticators; nil while the domain is disabled.
    private var session: String?
    /// The last known credentials of each authenticator, by their IDs.
    private var credentials: [String: [String: JSONValue]] = [:]

    /// - Parameter page: the page whose requests the authenticators answer; nil: all pages.
    init(_ pages: SessionPages, page: String?, emit: @escaping @Sendable (String, JSONValue) -> Void) {
        self.pages = pages
        self.page = page
        self.emit = emit
    }

    /// Performs a command; `method` begins with the domain's name.
    func perform(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        guard let command = Command(rawValue: String(method.dropFirst(Self.prefix.count))) else {
            throw DevToolsError.unknownMethod(method)
        }
        switch command {
        case .enable: try await enable()
        case .disable: await close()
        case .addVirtualAuthenticator: return ["authenticatorId": .text(try await addAuthenticator(params["options"]))]
        case .removeVirtualAuthenticator:
            let id = try authenticator(params)
            try await send("DELETE", try path(id))
            credentials[id] = nil
            await pages.remove(id)
        case .setUserVerified:
            let isVerified = params["isUserVerified"] ?? .null
            try await send("POST", try path(try authenticator(params)) + "/uv", ["isUserVerified": isVerified])
        case .setAutomaticPresenceSimulation:
            guard let isEnabled = params["enabled"]?.bool else {
                throw DevToolsError.invalid("enabled", "true or false")
            }
            await pages.setPresence(isEnabled, of: try authenticator(params))
        case .setResponseOverrideBits: try await overrideBits(params)
        case .addCredential:
            guard let credential = params["credential"]?.object else {
                throw DevToolsError.invalid("credential", "an object")
            }
            let id = try authenticator(params)
            try await send("POST", try path(id) + "/credential", .object(credential.mapping(Self.base64URL)))
            try await readCredentials(of: id)
            await pages.offerSuggestions()
        case .getCredentials:
            let all = try await readCredentials(of: try authenticator(params))
            return ["credentials": .array(all)]
        case .getCredential:
            let id = try authenticator(params)
            try await readCredentials(of: id)
            return ["credential": try credential(params, of: id)]
        case .removeCredential:
            let id = try authenticator(params)
            try await send("DELETE", try path(id) + "/credentials/" + (try credentialID(params)))
            try await readCredentials(of: id)
        case .clearCredentials:
            let id = try authenticator(params)
            try await send("DELETE", try path(id) + "/credentials")
            credentials[id] = [:]
        case .setCredentialProperties:
            let id = try authenticator(params)
            let given = (params.object ?? [:]).filter { ["backupEligibility", "backupState"].contains($0.key) }
            try await send(
                "POST", try path(id) + "/credentials/" + (try credentialID(params)) + "/props", .object(given))
            try await readCredentials(of: id)
        }
        return [:]
    }

    /// Ends the authenticators.
    func close() async {
        guard let ended = session else { return }
        session = nil
        for id in credentials.keys { await pages.remove(id) }
        credentials = [:]
        _ = try? await pages.control.send("DELETE", "/session/\(ended)")
    }

    private func enable() async throws {
        guard session == nil else { return }
        let opened = try await send("POST", "/session", ["capabilities": [:]])
        session = opened["sessionId"]?.text
    }

    private func addAuthenticator(_ options: JSONValue?) async throws -> String {
        guard let options = options?.object else { throw DevToolsError.invalid("options", "an object") }
        let body = try VirtualAuthenticatorParameters(options)
        guard let id = try await send("POST", try path(), body.webDriver).text else {
            throw DevToolsError.failed("the control API names no authenticator")
        }
        credentials[id] = [:]
        let device = PageDevice(name: id, picksSuggestions: true, page: page, isPresent: body.isPresent)
        await pages.add(device) { [weak self] news in await self?.report(news, of: id) }
        return id
    }

    /// Arms the faults of the bits that are set, in place of the ones before.
    private func overrideBits(_ params: JSONValue) async throws {
        let acts = "/v1/devices/\(try authenticator(params))/acts"
        try await send("POST", acts, ["verb": "no-faults"])
        let faults = [("isBogusSignature", "signature-zero"), ("isBadUV", "uv-clear"), ("isBadUP", "up-clear")]
        for (bit, fault) in faults where params[bit] == true {
            try await send("POST", acts, ["verb": "fault", "arguments": ["name": .text(fault)]])
        }
    }

    // MARK: Events

    private func report(_ news: DeviceNews, of id: String) async {
        let known = credentials[id] ?? [:]
        // The authenticator may be gone, and its client with it.
        guard (try? await readCredentials(of: id)) != nil else { return }
        let current = credentials[id] ?? [:]
        func emitCredential(_ event: String, _ credential: String) {
            guard let value = current[credential] else { return }
            emit(Self.prefix + event, ["authenticatorId": .text(id), "credential": value])
        }
        switch news {
        case .created(let credential): emitCredential("credentialAdded", credential)
        case .asserted(let credential): emitCredential("credentialAsserted", credential)
        case .signalled:
            for credential in known.keys.sorted() {
                if current[credential] == nil {
                    emit(
                        Self.prefix + "credentialDeleted",
                        ["authenticatorId": .text(id), "credentialId": .text(Self.base64(credential))])
                } else if current[credential] != known[credential] {
                    emitCredential("credentialUpdated", credential)
                }
            }
        }
    }

    /// Reads an authenticator's credentials, as DevTools write them.
    @discardableResult
    private func readCredentials(of id: String) async throws -> [JSONValue] {
        let listed = try await send("GET", try path(id) + "/credentials").array ?? []
        let all = listed.map { JSONValue.object(($0.object ?? [:]).mapping(Self.base64)) }
        credentials[id] = Dictionary(zip(listed.map { $0["credentialId"]?.text ?? "" }, all)) { $1 }
        return all
    }

    // MARK: The control API

    /// The path of the authenticators, or of one.
    private func path(_ authenticator: String? = nil) throws -> String {
        guard let session else { throw DevToolsError.notEnabled }
        return "/session/\(session)/webauthn/authenticator" + (authenticator.map { "/\($0)" } ?? "")
    }

    private func authenticator(_ params: JSONValue) throws -> String {
        guard session != nil else { throw DevToolsError.notEnabled }
        guard let id = params["authenticatorId"]?.text, credentials[id] != nil else {
            throw DevToolsError.invalid("authenticatorId", "the ID of a virtual authenticator of this session")
        }
        return id
    }

    private func credentialID(_ params: JSONValue) throws -> String {
        guard let id = params["credentialId"]?.text else { throw DevToolsError.invalid("credentialId", "base64") }
        return Self.base64URL(id)
    }

    private func credential(_ params: JSONValue, of id: String) throws -> JSONValue {
        guard let found = credentials[id]?[try credentialID(params)] else {
            throw DevToolsError.invalid("credentialId", "the ID of a credential of the authenticator")
        }
        return found
    }

    /// Sends a request, and reads WebDriver's `value` or the whole answer.
    @discardableResult
    private func send(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        let (answer, json) = try await pages.control.send(method, path, body)
        guard answer.status < 400 else {
            throw DevToolsError.failed(json["value"]?["message"]?.text ?? json["error"]?["message"]?.text ?? "")
        }
        return json["value"] ?? json
    }

    // MARK: Bytes

    /// DevTools write bytes in base64, WebDriver in base64url.
    private static func base64URL(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func base64(_ text: String) -> String {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    }
}

extension [String: JSONValue] {
    /// Writes the members with bytes in another form.
    fileprivate func mapping(_ transform: (String) -> String) -> Self {
        var members = self
        for name in ["credentialId", "privateKey", "userHandle", "largeBlob"] {
            members[name] = members[name]?.text.map { .text(transform($0)) } ?? members[name]
        }
        return members
    }
}

/// The reason why a DevTools command fails.
struct DevToolsError: Error, Hashable, Sendable {
    /// The code of JSON-RPC.
    let code: Int
    let message: String

    static let notEnabled = DevToolsError(
        code: -32000, message: "The WebAuthn domain is not enabled for this session. Send WebAuthn.enable first.")

    static func unknownMethod(_ method: String) -> DevToolsError {
        DevToolsError(code: -32601, message: "'\(method)' wasn't found")
    }

    static func invalid(_ member: String, _ rule: String) -> DevToolsError {
        DevToolsError(code: -32602, message: "“\(member)” must be \(rule).")
    }

    static func invalid(_ error: APIError) -> DevToolsError { DevToolsError(code: -32602, message: error.message) }

    static func failed(_ message: String) -> DevToolsError { DevToolsError(code: -32000, message: message) }
}
