internal import CTAP
internal import Causes

extension VirtualAuthenticator {
    /// authenticatorConfig (CTAP 2.3 §6.11): one subcommand.
    func authenticatorConfig(_ request: AuthenticatorConfigRequest, _ context: CommandContext) throws(Refusal) {
        guard let subcommand = AuthenticatorConfigSubcommand(rawValue: request.subCommand),
            configSubcommands.contains(subcommand)
        else { throw context.unknownSubcommand(request.subCommand) }
        if needsTokenForConfig(subcommand) {
            try authorize(request, .authenticatorConfiguration, context)
        }
        switch subcommand {
        case .enableEnterpriseAttestation: state.settings.isEnterpriseAttestationEnabled = true
        case .toggleAlwaysUv: try toggleAlwaysUV(context)
        case .setMinPINLength: try setMinPINLength(request, context)
        case .enableLongTouchForReset: state.settings.needsLongTouchForReset = true
        case .vendorPrototype:
            let id = try context.require(request.vendorCommandID, "vendorCommandId")
            try require(
                configuration.management.vendorPrototypeCommands.contains(id),
                else: context.refusal(.invalidParameter, .vendorCommandUnknown))
            record(.vendorPrototype(id))
        }
    }

    var configSubcommands: [AuthenticatorConfigSubcommand] {
        configuration.management.configSubcommands.filter { subcommand in
            switch subcommand {
            case .enableEnterpriseAttestation: configuration.management.enterpriseAttestation != nil
            case .toggleAlwaysUv: state.alwaysUV != nil
            case .setMinPINLength: configuration.supportsClientPIN
            case .enableLongTouchForReset: true
            case .vendorPrototype: !configuration.management.vendorPrototypeCommands.isEmpty
            }
        }
    }

    /// A device without user verification can be configured without a token; with always-require-UV, only that switch can
    /// (CTAP 2.3 §6.11).
    private func needsTokenForConfig(_ subcommand: AuthenticatorConfigSubcommand) -> Bool {
        if isProtectedByUserVerification { return true }
        return state.alwaysUV == true && subcommand != .toggleAlwaysUv
    }

    private func toggleAlwaysUV(_ context: CommandContext) throws(Refusal) {
        let isOn = state.alwaysUV == true
        try require(
            !isOn || !configuration.management.keepsAlwaysUV,
            else: context.refusal(.operationDenied, .alwaysUvCannotBeDisabled))
        state.alwaysUV = !isOn
    }

    /// setMinPINLength (CTAP 2.3 §6.11.4).
    private func setMinPINLength(_ request: AuthenticatorConfigRequest, _ context: CommandContext) throws(Refusal) {
        try require(
            request.minPinLengthRPIDs == nil || configuration.extensions.contains(.minPinLength),
            else: context.refusal(.pinPolicyViolation, .minPINLengthUnsupported))
        let newMinimum = request.newMinPINLength ?? state.pin.minimumLength
        try require(
            newMinimum >= state.pin.minimumLength && newMinimum <= configuration.maxPINLength,
            else: context.refusal(.pinPolicyViolation, .minPINLengthOutOfRange))
        try require(
            request.forceChangePin != true || state.pin.isSet, else: context.refusal(.pinNotSet, .forceChangeWithoutPIN)
        )
        let identifiers = request.minPinLengthRPIDs ?? []
        try require(
            identifiers.count <= configuration.maxRPIDsForSetMinPINLength,
            else: context.refusal(.keyStoreFull, .tooManyRelyingParties))
        if request.pinComplexityPolicy == true {
            try require(
                configuration.pinComplexityPolicy != nil,
                else: context.refusal(.invalidParameter, .pinComplexityPolicyUnsupported))
            state.pin.isComplexityEnforced = true
        }
        state.pin.minimumLength = newMinimum
        if !identifiers.isEmpty { state.pin.relyingPartyIDs = identifiers }
        let isTooShort = state.pin.isSet && state.pin.length < newMinimum
        guard request.forceChangePin == true || isTooShort else { return }
        state.pin.mustChange = true
        // Tokens of the old PIN end with the demand to change it.
        state.session.tokens = [:]
    }
}
