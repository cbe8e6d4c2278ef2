public import CTAP
public import WebAuthn

extension VirtualAuthenticator {
    /// The answer to getInfo over a transport; nil for one that is not known.
    ///
    /// A phone declares less over hybrid (CTAP 2.3 §11.5) than to its own platform: it verifies its user itself, so it has
    /// neither a PIN/UV auth protocol nor `plat`, and no extension that needs a second command.
    public func info(over transport: AuthenticatorTransport?) -> AuthenticatorInfo {
        guard transport == .hybrid, configuration.isPlatform else { return info() }
        let whole = info()
        var info = AuthenticatorInfo(versions: whole.versions, aaguid: whole.aaguid)
        info.options = [
            InfoOption.rk.rawValue: configuration.discoverability != .never,
            InfoOption.uv.rawValue: whole.option(.uv) ?? false,
        ]
        info.transports = whole.transports
        return info
    }
}
