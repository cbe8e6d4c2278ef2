#if canImport(AuthenticationServices)
public import AuthenticationServices

/// The window over which a sheet appears: Apple's.
public typealias SimulatedASPresentationAnchor = ASPresentationAnchor
#else
/// The window over which a sheet appears; it stands for `UIWindow` and `NSWindow`.
@MainActor
public final class ASPresentationAnchor {
    /// A window that nothing shows.
    public init() {}
}

/// The window over which a sheet appears.
public typealias SimulatedASPresentationAnchor = ASPresentationAnchor
#endif
