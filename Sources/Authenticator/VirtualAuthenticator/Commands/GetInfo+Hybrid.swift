public import CTAP
public import WebAuthn

extension VirtualAuthenticator {
    /// The answer to getInfo over a transport.
    ///
    /// A phone declares less over hybrid (CTAP 2.3 §11.5) than to its own platform: no `plat`, no PIN/UV auth protocol because
    /// it verifies its user itself, and no extensions that need a second command. ``AuthenticatorConfiguration/hybrid`` has the rest.
    ///
    /// - Parameter transport: the transport of the request; nil where it is not known.
    public func info(over transport: AuthenticatorTransport?) -> AuthenticatorInfo {
        guard transport == .hybrid, configuration.isPlatform else { return info() }
        let whole = info()
        let own = configuration.hybrid
        var info = AuthenticatorInfo(
            versions: own.versions ?? whole.versions,
            aaguid: own.hidesAAGUID ? AAGUID.zero : whole.aaguid)
        if !own.extensions.isEmpty { info.extensions = own.extensions.map(\.rawValue) }
        info.options = [
            InfoOption.rk.rawValue: configuration.discoverability != .never,
            InfoOption.uv.rawValue: whole.option(.uv) ?? false,
        ]
        info.transports = own.transports ?? whole.transports
        return info
    }
}
