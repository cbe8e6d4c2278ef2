#if canImport(AuthenticationServices)
public import AuthenticationServices

/// The window over which a sheet appears, of Apple's framework.
public typealias SimulatedASPresentationAnchor = ASPresentationAnchor
#else
/// The window over which a sheet appears; it stands for `UIWindow` and `NSWindow`.
@MainActor
public final class ASPresentationAnchor {
    /// A window that stays invisible.
    public init() {}
}

/// The window over which a sheet appears.
public typealias SimulatedASPresentationAnchor = ASPresentationAnchor
#endif
