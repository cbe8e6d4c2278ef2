internal import COSE
internal import CTAP
internal import Causes

extension VirtualAuthenticator {
    /// Verifies the token of a command that manages the authenticator (CTAP 2.3 §6.7 to §6.11).
    ///
    /// - Returns: the protocol of the token in use; nil for the persistent one.
    /// - Throws: 0x36 without a code, 0x14 without a protocol, 0x02 for an unknown one, 0x33 for a code, permission
    ///   or RP ID that does not fit.
    @discardableResult
    func authorize(
        _ request: some TokenAuthenticatedRequest, _ permission: PINUVAuthTokenPermissions, scope: TokenScope = .any,
        acceptsPersistentToken: Bool = false, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthProtocol? {
        guard let param = request.pinUvAuthParam else { throw context.refusal(.puatRequired, .pinUvAuthParamMissing) }
        let pinProtocol = try tokenProtocol(request.pinUvAuthProtocol, context)
        let message = request.authenticatedMessage
        if acceptsPersistentToken, configuration.management.supportsPersistentTokens,
            pinProtocol.verify(param, over: message, key: state.settings.persistentToken)
        {
            return nil
        }
        _ = try verifyToken(pinProtocol, param, over: message, permission, scope, context)
        return pinProtocol
    }

    func tokenProtocol(
        _ number: Int?, step: Int? = nil, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthProtocol {
        guard let number else { throw context.refusal(.missingParameter, .pinUvAuthProtocolMissing, step: step) }
        guard let pinProtocol = supportedProtocol(number) else {
            throw context.refusal(.invalidParameter, .pinUvAuthProtocolUnsupported, step: step)
        }
        return pinProtocol
    }

    func verifyToken(
        _ pinProtocol: PINUVAuthProtocol, _ param: [UInt8], over message: [UInt8],
        _ permission: PINUVAuthTokenPermissions, _ scope: TokenScope, step: Int? = nil, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthToken {
        var token = state.session.tokens[pinProtocol]
        let matches = token?.verify(param, over: message, protocol: pinProtocol, at: now) ?? false
        state.session.tokens[pinProtocol] = token
        guard let token else { throw context.refusal(.pinAuthInvalid, .pinUvAuthParamInvalid, step: step) }
        try require(matches, else: context.refusal(.pinAuthInvalid, .pinUvAuthParamInvalid, step: step))
        try require(
            token.permits(permission, in: context.command),
            else: context.refusal(.pinAuthInvalid, .permissionMissing, step: step))
        try require(
            scope.admits(token.relyingPartyID),
            else: context.refusal(.pinAuthInvalid, .tokenBoundToOtherRelyingParty, step: step))
        return token
    }

    /// Whether the token that began a run of stateful commands, if any, is in use: the run ends with it (CTAP 2.3 §6).
    func isTokenInUse(_ pinProtocol: PINUVAuthProtocol?) -> Bool {
        guard let pinProtocol else { return true }
        return state.session.tokens[pinProtocol]?.isInUse(at: now) ?? false
    }
}

/// A command's scope, which decides the tokens bound to a relying party it accepts.
enum TokenScope {
    /// Nothing of a relying party's: any token.
    case any
    /// All relying parties': unbound tokens.
    case everyRelyingParty
    /// One relying party's, by the SHA-256 of its ID: unbound tokens and its own.
    case relyingParty(idHash: [UInt8])

    func admits(_ bound: String?) -> Bool {
        guard let bound else { return true }
        return switch self {
        case .any: true
        case .everyRelyingParty: false
        case .relyingParty(let hash): constantTimeEqual(hash, sha256(Array(bound.utf8)))
        }
    }
}
