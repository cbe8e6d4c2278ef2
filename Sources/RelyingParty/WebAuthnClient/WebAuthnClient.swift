public import CTAP
public import WebAuthn

/// The browser's part of a passkey ceremony: from the options a page passes to the response it gets back, over any
/// ``CTAP/CTAPDevice``.
///
/// One client speaks to one device, as a browser does once its person has picked one. The client checks what a browser
/// checks before it lets a page near a device (WebAuthn L3 §5.1.3, §5.1.4); it does not judge the device's answers, so
/// that a forged one reaches the relying party under test. Cancelling the calling task is `AbortController.abort()`:
/// the device is told to stop, and the call throws `AbortError`.
public struct WebAuthnClient: Sendable {
    /// The device spoken to.
    public let device: any CTAPDevice
    /// How the device is attached, as the response will say.
    public let attachment: AuthenticatorAttachment
    /// Chance, time and the person.
    public let environment: ClientEnvironment

    /// A client of one device.
    public init(device: any CTAPDevice, attachment: AuthenticatorAttachment, environment: ClientEnvironment) {
        self.device = device
        self.attachment = attachment
        self.environment = environment
    }

    /// navigator.credentials.create() (WebAuthn L3 §5.1.3).
    ///
    /// - Parameters:
    ///   - origin: who asks.
    ///   - topOrigin: the top-level page's origin, when a frame asks that is not same-origin with its ancestors; that
    ///     the page's permissions policy lets it ask is taken for granted.
    /// - Throws: ``WebAuthnClientError``.
    public func create(
        _ options: CreationOptions, origin: Origin, topOrigin: Origin? = nil
    ) async throws(WebAuthnClientError) -> RegistrationResponse {
        let caller = caller(origin, topOrigin)
        return try await run(.create, timeout: options.timeout) { session async throws(WebAuthnClientError) in
            try await Registration(options: options, caller: caller, attachment: attachment, session: session)
                .perform()
        }
    }

    private func caller(_ origin: Origin, _ topOrigin: Origin?) -> Caller {
        Caller(
            origin: origin, topOrigin: topOrigin, tellsTopOrigin: environment.tellsTopOrigin,
            additionalMembers: environment.additionalClientData)
    }

    /// navigator.credentials.get() (WebAuthn L3 §5.1.4).
    ///
    /// - Parameters:
    ///   - origin: who asks.
    ///   - topOrigin: the top-level page's origin, when a frame asks that is not same-origin with its ancestors.
    /// - Throws: ``WebAuthnClientError``.
    public func get(
        _ options: RequestOptions, origin: Origin, topOrigin: Origin? = nil
    ) async throws(WebAuthnClientError) -> AuthenticationResponse {
        let caller = caller(origin, topOrigin)
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
            environment: environment, deadline: environment.now() + timeout)
        return try await environment.interrupting(after: timeout) { () async throws(WebAuthnClientError) in
            try await body(session)
        }
    }
}
