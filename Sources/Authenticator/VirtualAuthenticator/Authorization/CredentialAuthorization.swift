internal import Biometrics
internal import COSE
internal import CTAP
internal import Causes

/// The result of the authorisation checks of MakeCredential and GetAssertion.
struct CredentialAuthorization {
    var userVerified = false
    /// Whether the verification included an interaction, which replaces a further touch.
    var userPresent = false
    var wasVerifiedAtSensor = false
    var sensorMethod: VerificationMethod?
}

/// The parameters both commands authorise by.
struct AuthorizationParameters {
    let relyingPartyID: String
    let clientDataHash: [UInt8]
    let pinUvAuthParam: [UInt8]?
    let pinUvAuthProtocol: Int?
    let options: [String: Bool]
    let permission: PINUVAuthTokenPermissions
}

extension VirtualAuthenticator {
    var isProtectedByUserVerification: Bool { state.pin.isSet || hasConfiguredBuiltInUV }

    var hasConfiguredBuiltInUV: Bool { state.gate?.isConfigured ?? false }

    /// The status 0x36 if the platform can continue with the PIN, otherwise 0x27.
    ///
    /// - Parameter afterSetUp: whether a PIN that could still be set counts: it does for always-require-UV (§6.1.2
    ///   step 6, §6.2.2 step 5), elsewhere one must be set (§6.1.2 steps 7 and 8).
    func uvMissing(
        _ context: CommandContext, _ cause: Cause, as name: String? = nil, step: Int? = nil, afterSetUp: Bool = false
    ) -> Refusal {
        let hasPIN = afterSetUp ? configuration.supportsClientPIN : state.pin.isSet
        return context.refusal(
            hasPIN && !configuration.refusesPINForCredentials ? .puatRequired : .operationDenied, cause, as: name,
            step: step)
    }

    /// Step 1 of both commands: the zero-length parameter of CTAP 2.0's touch-to-select.
    func refuseTouchToSelect(_ parameters: AuthorizationParameters, _ context: CommandContext) async throws(Refusal) {
        try await requireUserPresence(context, relyingPartyID: parameters.relyingPartyID, onTimeout: .operationDenied)
        throw context.refusal(state.pin.isSet ? .pinInvalid : .pinNotSet, .zeroLengthPinUvAuthParam, step: 1)
    }

    func isTouchToSelect(_ parameters: AuthorizationParameters) -> Bool {
        parameters.pinUvAuthParam?.isEmpty == true && supportsClientPINCommand
    }

    /// Step 2 of both commands: the protocol of the parameter; nil without one.
    func tokenProtocol(
        _ parameters: AuthorizationParameters, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthProtocol? {
        guard parameters.pinUvAuthParam != nil, !isTouchToSelect(parameters) else { return nil }
        return try tokenProtocol(parameters.pinUvAuthProtocol, step: 2, context)
    }

    /// Refuses a device whose passkeys need a device credential while none is set.
    func requireDeviceCredential(_ context: CommandContext) throws(Refusal) {
        try require(
            state.gate?.refusesPasskeys != true, else: context.refusal(.operationDenied, .noDeviceCredential))
    }

    /// The effective `uv` option: a pinUvAuthParam overrides it, and true needs a configured method.
    func requestedUV(_ parameters: AuthorizationParameters, _ context: CommandContext) throws(Refusal) -> Bool {
        guard parameters.pinUvAuthParam == nil, parameters.options["uv"] == true else { return false }
        try require(
            hasConfiguredBuiltInUV, else: context.refusal(.invalidOption, .notEnrolled, as: "uvNotConfigured", step: 5))
        return true
    }

    /// Always-require-UV: refuses a device without user verification, and upgrades a request without it.
    func applyAlwaysUV(
        uv: Bool, _ parameters: AuthorizationParameters, _ context: CommandContext
    ) throws(Refusal) -> Bool {
        try require(
            isProtectedByUserVerification,
            else: uvMissing(context, .notEnrolled, as: "alwaysUvUnprotected", step: 6, afterSetUp: true))
        guard parameters.pinUvAuthParam == nil, !uv else { return uv }
        try require(
            hasConfiguredBuiltInUV, else: uvMissing(context, .alwaysUvWithoutVerification, step: 6, afterSetUp: true))
        return true
    }

    func authorize(
        token pinProtocol: PINUVAuthProtocol?, _ parameters: AuthorizationParameters, _ context: CommandContext
    ) throws(Refusal) -> CredentialAuthorization {
        var authorization = CredentialAuthorization()
        if let pinProtocol, let param = parameters.pinUvAuthParam {
            try verifyToken(pinProtocol, param, parameters, context)
            authorization.userVerified = true
            authorization.userPresent = state.session.tokens[pinProtocol]?.isUserPresent(at: now) ?? false
        }
        return authorization
    }

    func authorizeAtSensor(
        _ parameters: AuthorizationParameters, _ context: CommandContext
    ) async throws(Refusal) -> CredentialAuthorization {
        // The touch is still asked for.
        if claimsVerification { return CredentialAuthorization(userVerified: true) }
        let method = try await verifyAtSensor(
            context, relyingPartyID: parameters.relyingPartyID, step: 11, status: statusOfFailedUV)
        return CredentialAuthorization(
            userVerified: true, userPresent: true, wasVerifiedAtSensor: true, sensorMethod: method)
    }

    private func verifyToken(
        _ pinProtocol: PINUVAuthProtocol, _ param: [UInt8], _ parameters: AuthorizationParameters,
        _ context: CommandContext
    ) throws(Refusal) {
        let idHash = sha256(Array(parameters.relyingPartyID.utf8))
        let token = try verifyToken(
            pinProtocol, param, over: parameters.clientDataHash, parameters.permission, .relyingParty(idHash: idHash),
            step: 11, context)
        try require(token.isUserVerified(), else: context.refusal(.pinAuthInvalid, .tokenUserNotVerified, step: 11))
        state.session.tokens[pinProtocol]?.relyingPartyID = parameters.relyingPartyID
    }

    /// The status of a failed `uv` option, which differs from the token command's (CTAP 2.3 §6.1.2 step 11.2).
    private func statusOfFailedUV(_: BuiltInUVFailure) -> CTAPStatus {
        if state.pin.isSet, !configuration.refusesPINForCredentials { return .puatRequired }
        return uvRetries == 0 ? .pinBlocked : .operationDenied
    }

    /// Clears the tokens in use after a test of user presence.
    ///
    /// Verification at the sensor skips the step, and leaves tokens alone (§6.1.2 step 13, §6.2.2 step 8); a touch
    /// ends them whether or not the request carried one (§6.1.2 step 14, §6.2.2 step 9).
    func clearTokens(after authorization: CredentialAuthorization) {
        if authorization.wasVerifiedAtSensor { return }
        for pinProtocol in state.session.tokens.keys { state.session.tokens[pinProtocol]?.clearAfterUserPresence() }
    }
}
