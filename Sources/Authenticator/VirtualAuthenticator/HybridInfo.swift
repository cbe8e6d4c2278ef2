public import WebAuthn

/// A phone's answer to getInfo over hybrid, as far as it differs from that at its own platform (CTAP 2.3 §11.5).
public struct HybridInfo: Hashable, Sendable {
    /// The versions; nil for those at its own platform.
    public var versions: [String]?
    /// The extensions, none of which needs a second command.
    public var extensions: [HybridExtension] = []
    /// The transports, also under names of their own such as `cable`; nil for those at its own platform.
    public var transports: [AuthenticatorTransport]?
    /// Whether the AAGUID is 16 zero bytes.
    public var hidesAAGUID = false

    /// An answer with nothing of its own.
    public init() {}
}

/// An extension that a phone answers over hybrid only.
public enum HybridExtension: String, Hashable, Sendable, CaseIterable {
    /// WebAuthn's prf with salts in clear, since hmac-secret needs a key agreement in a command of its own.
    case prf
}
