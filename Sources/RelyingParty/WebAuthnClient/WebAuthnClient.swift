public import CTAP
public import WebAuthn

/// The browser's part of a passkey ceremony: from a page's options to its response, over any `CTAPDevice`.
///
/// One client serves one device, like a browser after the user has picked a device. The client makes a browser's checks
/// before it contacts the device (WebAuthn L3 §5.1.3, §5.1.4). It does not verify the device's answers, so that a
/// forged answer reaches the relying party under test. Cancelling the calling task corresponds to
/// `AbortController.abort()`: the client cancels the device's command and throws `AbortError`.
///
/// The Public Suffix List, of which no entry is an RP ID, comes from libpsl (the trait `SystemLibraries`, Linux only); a
/// client without it refuses single labels alone.
public struct WebAuthnClient: Sendable {
    /// The device.
    public let device: any CTAPDevice
    /// The device's attachment, as reported in the response.
    public let attachment: AuthenticatorAttachment
    /// The source of randomness, time and user input.
    public let environment: ClientEnvironment

    /// Creates a client of one device.
    public init(device: any CTAPDevice, attachment: AuthenticatorAttachment, environment: ClientEnvironment) {
        self.device = device
        self.attachment = attachment
        self.environment = environment
    }

    /// navigator.credentials.create() (WebAuthn L3 §5.1.3).
    ///
    /// `topOrigin` is the top-level page's, when the caller is a cross-origin frame; permissions policy is not checked.
    ///
    /// - Throws: ``WebAuthnClientError``.
    public func create(
        _ options: CreationOptions, origin: Origin, topOrigin: Origin? = nil
    ) async throws(WebAuthnClientError) -> RegistrationResponse {
        let caller = Caller(origin: origin, topOrigin: topOrigin, environment: environment)
        return try await run(.create, timeout: options.timeout) { session async throws(WebAuthnClientError) in
            try await Registration(options: options, caller: caller, attachment: attachment, session: session)
                .perform()
        }
    }

    /// navigator.credentials.create() with mediation `conditional` (WebAuthn L3 §5.1.3).
    ///
    /// No prompt asks the user, so UP and UV are clear. The caller has checked that the user signed in recently, see
    /// ``CredentialPage``.
    ///
    /// - Throws: ``WebAuthnClientError``: `NotSupportedError` for a client without conditional create, `ConstraintError` for
    ///   required user verification, `InvalidStateError` for an excluded credential.
    package func createConditionally(
        _ options: CreationOptions, origin: Origin, topOrigin: Origin? = nil
    ) async throws(WebAuthnClientError) -> RegistrationResponse {
        guard let platformDevice = environment.platformDevice else {
            throw WebAuthnClientError(.notSupportedError, .conditionalCreateUnavailable)
        }
        let caller = Caller(origin: origin, topOrigin: topOrigin, environment: environment)
        let client = WebAuthnClient(device: platformDevice, attachment: attachment, environment: environment)
        return try await client.run(.create, timeout: options.timeout) { session async throws(WebAuthnClientError) in
            try await Registration(
                options: options, caller: caller, attachment: attachment, session: session, isConditional: true
            )
            .perform()
        }
    }

    /// navigator.credentials.get() (WebAuthn L3 §5.1.4).
    ///
    /// `topOrigin` is the top-level page's, when the caller is a cross-origin frame.
    ///
    /// - Throws: ``WebAuthnClientError``.
    public func get(
        _ options: RequestOptions, origin: Origin, topOrigin: Origin? = nil
    ) async throws(WebAuthnClientError) -> AuthenticationResponse {
        let caller = Caller(origin: origin, topOrigin: topOrigin, environment: environment)
        return try await run(.get, timeout: options.timeout) { session async throws(WebAuthnClientError) in
            try await Authentication(options: options, caller: caller, attachment: attachment, session: session)
                .perform()
        }
    }

    private func run<Response: Sendable>(
        _ ceremony: Ceremony, timeout milliseconds: UInt32?,
        _ body: @escaping @Sendable (Session) async throws(WebAuthnClientError) -> Response
    ) async throws(WebAuthnClientError) -> Response {
        let timeout = milliseconds.map { Duration.milliseconds($0) } ?? environment.defaultTimeout
        let session = Session(
            ceremony: ceremony, client: AuthenticatorClient(device, onKeepalive: environment.onKeepalive),
            takesOneCommand: device.takesOneCommand, environment: environment, deadline: environment.now() + timeout)
        return try await environment.interrupting(after: timeout) { () async throws(WebAuthnClientError) in
            try await body(session)
        }
    }
}
