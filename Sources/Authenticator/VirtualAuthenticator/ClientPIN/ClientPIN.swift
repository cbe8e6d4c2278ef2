internal import Biometrics
internal import CBOR
internal import CTAP
internal import Causes

extension VirtualAuthenticator {
    var supportsClientPINCommand: Bool {
        configuration.supportsClientPIN
            || (configuration.supportsPinUvAuthToken && state.gate?.isSupported ?? false)
    }

    func supportedProtocol(_ number: Int) -> PINUVAuthProtocol? {
        configuration.pinUvAuthProtocols.first { $0.rawValue == number }
    }

    /// authenticatorClientPIN (CTAP 2.3 §6.5.5): one subcommand.
    func clientPIN(_ request: ClientPINRequest, _ context: CommandContext) async throws(Refusal) -> ClientPINResponse {
        guard let subcommand = ClientPINSubcommand(rawValue: request.subCommand), supports(subcommand) else {
            throw context.unknownSubcommand(request.subCommand)
        }
        switch subcommand {
        case .getPINRetries:
            return ClientPINResponse(
                pinRetries: state.pin.retries, powerCycleState: state.pin.isSoftBlocked ? true : nil)
        case .getUVRetries: return ClientPINResponse(uvRetries: uvRetries)
        case .getKeyAgreement:
            let pinProtocol = try requireProtocol(request, context)
            return ClientPINResponse(keyAgreement: try keyAgreementKey(pinProtocol, context).publicKey)
        case .setPIN:
            try setPIN(request, context)
            return ClientPINResponse()
        case .changePIN:
            try changePIN(request, context)
            return ClientPINResponse()
        case .getPinToken: return try getTokenUsingPIN(request, withPermissions: false, context)
        case .getPinUvAuthTokenUsingPinWithPermissions:
            return try getTokenUsingPIN(request, withPermissions: true, context)
        case .getPinUvAuthTokenUsingUvWithPermissions: return try await getTokenUsingUV(request, context)
        }
    }

    private func supports(_ subcommand: ClientPINSubcommand) -> Bool {
        let uv = state.gate?.isSupported ?? false
        return switch subcommand {
        case .getKeyAgreement: true
        case .getPINRetries, .setPIN, .changePIN, .getPinToken: configuration.supportsClientPIN
        case .getPinUvAuthTokenUsingPinWithPermissions:
            configuration.supportsClientPIN && configuration.supportsPinUvAuthToken
        case .getPinUvAuthTokenUsingUvWithPermissions: uv && configuration.supportsPinUvAuthToken
        case .getUVRetries: uv
        }
    }

    func requireProtocol(_ request: ClientPINRequest, _ context: CommandContext) throws(Refusal) -> PINUVAuthProtocol {
        let number = try context.require(request.pinUvAuthProtocol, "pinUvAuthProtocol")
        guard let pinProtocol = supportedProtocol(number) else {
            throw context.refusal(.invalidParameter, .protocolUnsupported)
        }
        return pinProtocol
    }

    /// The authenticator's key of a protocol, made when first asked for after power-up (initialize).
    func keyAgreementKey(
        _ pinProtocol: PINUVAuthProtocol, _ context: CommandContext
    ) throws(Refusal) -> KeyAgreementKey {
        if let key = state.session.keyAgreementKeys[pinProtocol] { return key }
        guard let key = KeyAgreementKey(randomBytes: environment.random.bytes) else {
            throw context.refusal(.other, .keyGenerationFailed)
        }
        state.session.keyAgreementKeys[pinProtocol] = key
        return key
    }

    /// decapsulate: the secret shared with the platform's key.
    func sharedSecret(
        with peer: CBOR.Value, _ pinProtocol: PINUVAuthProtocol, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthProtocol.SharedSecret {
        guard
            let secret = try keyAgreementKey(pinProtocol, context).sharedSecret(with: peer, protocol: pinProtocol)
        else { throw context.refusal(.invalidParameter, .keyAgreementInvalid) }
        return secret
    }
}
