internal import CTAP
internal import WebAuthn

/// The context of a request: its transport, its sender and its keepalives.
struct RequestContext: Sendable {
    /// The transport, such as `usb` or `nfc`; nil when it is not known.
    var transport: AuthenticatorTransport?
    /// Whether the device's own platform sends the request.
    ///
    /// The platform may ask for a credential without the user.
    var isFromPlatform = false
    var onKeepalive: @Sendable (KeepaliveStatus) -> Void = { _ in }
}
