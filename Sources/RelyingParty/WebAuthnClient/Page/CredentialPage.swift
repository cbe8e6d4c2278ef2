public import WebAuthn

/// A page's access to credentials: one request at a time, and a conditional request that waits for the user.
///
/// A conditional request (`mediation: "conditional"`, WebAuthn L3 §5.1.4) shows nothing by itself. It ends when the user
/// picks one of the suggestions at a field, or when the page aborts it. The browser's limits are ``Rules``.
public actor CredentialPage {
    /// A browser's rules.
    public struct Rules: Hashable, Sendable {
        /// The answer of `PublicKeyCredential.isConditionalMediationAvailable()`.
        public var offersConditionalMediation: Bool
        /// Whether a modal request needs a gesture of the user on the page, as in WebKit.
        public var needsGesture: Bool

        /// Creates rules.
        public init(offersConditionalMediation: Bool = true, needsGesture: Bool = false) {
            self.offersConditionalMediation = offersConditionalMediation
            self.needsGesture = needsGesture
        }
    }

    /// A stored password (Credential Management §3).
    public struct Password: Hashable, Sendable {
        /// The account's name.
        public let name: String
        /// The password.
        public let password: String

        /// Creates a password.
        public init(name: String, password: String) {
            self.name = name
            self.password = password
        }
    }

    /// The credential that a page gets.
    public enum Credential: Sendable {
        /// A passkey's assertion.
        case passkey(AuthenticationResponse)
        /// A stored password.
        case password(Password)
    }

    /// The suggestion that the user picks.
    public enum Choice: Hashable, Sendable {
        /// A passkey; with several accounts the client asks for one.
        case passkey
        /// The stored password of an account.
        case password(name: String)
    }

    private struct Pending {
        let options: RequestOptions
        let origin: Origin
        let passwords: [Password]
    }

    private let client: WebAuthnClient
    private var rules: Rules
    private var pending: Pending?
    private var isAsking = false
    private var hasGesture = false
    /// The user's last sign-in with a password that the browser filled in.
    private var passwordSignIn: (origin: Origin, time: Duration)?
    /// The longest time for which a sign-in with a password is recent; Chromium's.
    private static let recency = Duration.seconds(300)

    /// A page that uses a client.
    public init(client: WebAuthnClient, rules: Rules = Rules()) {
        self.client = client
        self.rules = rules
    }

    /// Whether a conditional request waits for the user.
    public var isPending: Bool { pending != nil }

    /// `PublicKeyCredential.isConditionalMediationAvailable()` (WebAuthn L3 §5.1.6).
    public var isConditionalMediationAvailable: Bool { rules.offersConditionalMediation }

    /// Changes the browser's rules.
    public func set(_ rules: Rules) { self.rules = rules }

    /// The user clicks or types: the next modal request may use the gesture (HTML §6.4.1, transient activation).
    public func gesture() { hasGesture = true }

    /// The page starts a conditional request; it needs no gesture.
    ///
    /// `passwords` are the stored passwords of the site, when the page also asks for passwords; else none.
    ///
    /// - Throws: ``WebAuthnClientError``: `TypeError` without conditional mediation, `NotAllowedError` while another request
    ///   waits (Credential Management §2.5.1), and the errors of an RP ID that the origin may not use.
    public func startConditional(
        _ options: RequestOptions, origin: Origin, passwords: [Password] = []
    ) throws(WebAuthnClientError) {
        guard rules.offersConditionalMediation else { throw WebAuthnClientError(.typeError, .conditionalUnavailable) }
        try requireNoOther()
        _ = try origin.relyingPartyID(claiming: options.rpId)
        pending = Pending(options: options, origin: origin, passwords: passwords)
    }

    /// The user picks a suggestion of the pending conditional request, which ends with the credential.
    ///
    /// - Returns: nil when no request waits, or when the suggestion does not exist.
    /// - Throws: ``WebAuthnClientError`` of the ceremony; the request goes on waiting after a refusal of the user, as
    ///   the page gets no error for one.
    public func pick(_ choice: Choice) async throws(WebAuthnClientError) -> Credential? {
        try await pick(choice, with: client)
    }

    /// ``pick(_:)`` with another client of the same device, such as one whose user enters other PINs.
    package func pick(_ choice: Choice, with client: WebAuthnClient) async throws(WebAuthnClientError) -> Credential? {
        guard let request = pending, !isAsking else { return nil }
        switch choice {
        case .password(let name):
            guard let password = request.passwords.first(where: { $0.name == name }) else { return nil }
            pending = nil
            signInWithPassword(at: request.origin)
            return .password(password)
        case .passkey:
            isAsking = true
            defer { isAsking = false }
            let response = try await client.get(request.options, origin: request.origin)
            pending = nil
            return .passkey(response)
        }
    }

    /// The page aborts the pending conditional request (`AbortController.abort()`, WebAuthn L3 §5.6).
    ///
    /// - Returns: the error with which the request ends; nil when none waits.
    public func abort() -> WebAuthnClientError? {
        guard pending != nil else { return nil }
        pending = nil
        return .aborted
    }

    /// The page makes a modal request for a passkey.
    ///
    /// - Throws: ``WebAuthnClientError``: `NotAllowedError` while a conditional request waits, or without the gesture that
    ///   the browser needs; and the errors of ``WebAuthnClient/get(_:origin:topOrigin:)``.
    public func get(_ options: RequestOptions, origin: Origin) async throws(WebAuthnClientError)
        -> AuthenticationResponse
    {
        try beginModal()
        return try await client.get(options, origin: origin)
    }

    /// Whether the page may have a passkey made without a prompt (the capability `conditionalCreate`, WebAuthn L3 §5.1.7).
    public var isConditionalCreateAvailable: Bool { client.environment.platformDevice != nil }

    /// The user signs in with a password that the browser fills in.
    public func signInWithPassword(at origin: Origin) { passwordSignIn = (origin, client.environment.now()) }

    /// The page asks for a passkey without a prompt (`mediation: "conditional"`, WebAuthn L3 §5.1.3).
    ///
    /// - Throws: ``WebAuthnClientError``: `NotSupportedError` for a browser without it, `NotAllowedError` without a recent
    ///   sign-in with a password at the origin, `ConstraintError` for required user verification.
    public func createConditionally(
        _ options: CreationOptions, origin: Origin, topOrigin: Origin? = nil
    ) async throws(WebAuthnClientError) -> RegistrationResponse {
        guard isConditionalCreateAvailable else {
            throw WebAuthnClientError(.notSupportedError, .conditionalCreateUnavailable)
        }
        try requireNoOther()
        guard let last = passwordSignIn, last.origin == origin, client.environment.now() - last.time <= Self.recency
        else {
            throw WebAuthnClientError(.notAllowedError, .passwordSignInMissing)
        }
        return try await client.createConditionally(options, origin: origin, topOrigin: topOrigin)
    }

    /// A modal request begins: it uses the gesture up, if the browser needs one.
    ///
    /// - Parameter withGesture: whether the user acts for this request: documents cannot take each other's gesture.
    /// - Throws: ``WebAuthnClientError``: `NotAllowedError` while a conditional request waits, or without the gesture.
    package func beginModal(withGesture: Bool = false) throws(WebAuthnClientError) {
        if withGesture { gesture() }
        try requireNoOther()
        if rules.needsGesture, !hasGesture {
            throw WebAuthnClientError(.notAllowedError, .gestureMissing)
        }
        hasGesture = false
    }

    /// Refuses another request while a conditional one waits (Credential Management §2.5.1).
    private func requireNoOther() throws(WebAuthnClientError) {
        guard pending == nil else { throw WebAuthnClientError(.notAllowedError, .requestPending) }
    }
}
