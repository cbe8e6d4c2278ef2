internal import CTAP
internal import Causes

extension VirtualAuthenticator {
    /// Verifies the token of a command that manages the authenticator (CTAP 2.3 §6.7 to §6.11).
    ///
    /// - Parameters:
    ///   - message: the authenticated message.
    ///   - permission: the permission the token needs.
    ///   - scope: whether a token bound to a relying party will do.
    ///   - acceptsPersistentToken: whether the persistent token will do as well.
    /// - Returns: the protocol of the token in use; nil for the persistent one.
    /// - Throws: 0x36 without a code, 0x14 without a protocol, 0x02 for an unknown one, 0x33 for a code, permission
    ///   or RP ID that does not fit.
    @discardableResult
    func authorizeManagement(
        _ message: [UInt8], param: [UInt8]?, protocol number: Int?, permission: PINUVAuthTokenPermissions,
        scope: TokenScope = .any, acceptsPersistentToken: Bool = false, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthProtocol? {
        guard let param else { throw Refusal(.puatRequired, context.reason(.pinUvAuthParamMissing)) }
        guard let number else { throw Refusal(.missingParameter, context.reason(.pinUvAuthProtocolMissing)) }
        guard let pinProtocol = supportedProtocol(number) else {
            throw Refusal(.invalidParameter, context.reason(.pinUvAuthProtocolUnsupported))
        }
        if acceptsPersistentToken, configuration.management.supportsPersistentTokens,
            pinProtocol.verify(param, over: message, key: state.settings.persistentToken)
        {
            return nil
        }
        var token = state.session.tokens[pinProtocol]
        let matches = token?.verify(param, over: message, protocol: pinProtocol, at: now) ?? false
        state.session.tokens[pinProtocol] = token
        guard matches, let token else { throw Refusal(.pinAuthInvalid, context.reason(.pinUvAuthParamInvalid)) }
        guard token.permissions.contains(permission) else {
            throw Refusal(.pinAuthInvalid, context.reason(.permissionMissing))
        }
        guard scope.admits(token.relyingPartyID) else {
            throw Refusal(.pinAuthInvalid, context.reason(.tokenBoundToOtherRelyingParty))
        }
        return pinProtocol
    }

    /// Whether the token that began a run of stateful commands is still one.
    ///
    /// The run ends with it (CTAP 2.3 §6, stateful commands); one that no token began has nothing to lose.
    func isTokenInUse(_ pinProtocol: PINUVAuthProtocol?) -> Bool {
        guard let pinProtocol else { return true }
        return state.session.tokens[pinProtocol]?.isInUse(at: now) ?? false
    }

    /// The refusal of a subcommand this device does not have.
    func unknownSubcommand(_ number: Int, _ context: CommandContext) -> Refusal {
        Refusal(
            .invalidSubcommand, RefusalReason(context.prefix, .unknownSubcommand, "CTAP 2.3 §8.1"),
            detail: "0x" + String(number, radix: 16))
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
