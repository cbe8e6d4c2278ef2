internal import CTAP
internal import Causes

extension VirtualAuthenticator {
    /// getPinToken, CTAP 2.0's: permissions mc and ga, bound to the RP ID of its first use (CTAP 2.3 §6.5.5.7.1).
    func getPinToken(_ request: ClientPINRequest, _ context: CommandContext) throws(Refusal) -> ClientPINResponse {
        let peer = try require(request.keyAgreement, "keyAgreement", context)
        let pinHashEnc = try require(request.pinHashEnc, "pinHashEnc", context)
        let pinProtocol = try requireProtocol(request, context)
        guard request.permissions == nil, request.relyingPartyID == nil else {
            throw Refusal(.invalidParameter, context.reason(.permissionsNotAllowed))
        }
        try requireUsablePIN(context)
        let secret = try sharedSecret(with: peer, pinProtocol, context)
        try checkPIN(pinHashEnc, pinProtocol, secret, context)
        guard !state.pin.mustChange else { throw Refusal(.pinInvalid, context.reason(.pinMustChange)) }
        var permissions: PINUVAuthTokenPermissions =
            configuration.refusesPINForCredentials ? [] : [.makeCredential, .getAssertion]
        // Clients of the preview have no permissions and expect this token to cover it.
        if configuration.management.supportsCredentialManagementPreview { permissions.insert(.credentialManagement) }
        // So do clients of keys with draft commands and without permissions.
        if !configuration.supportsPinUvAuthToken { permissions.formUnion(availablePermissions(byPIN: true)) }
        return try beginToken(
            pinProtocol, secret, permissions, relyingPartyID: nil, userIsPresent: false, context)
    }

    /// getPinUvAuthTokenUsingPinWithPermissions (CTAP 2.3 §6.5.5.7.2).
    func getTokenUsingPIN(
        _ request: ClientPINRequest, _ context: CommandContext
    ) throws(Refusal) -> ClientPINResponse {
        let peer = try require(request.keyAgreement, "keyAgreement", context)
        let pinHashEnc = try require(request.pinHashEnc, "pinHashEnc", context)
        let pinProtocol = try requireProtocol(request, context)
        let permissions = try requirePermissions(request, byPIN: true, context)
        try requireUsablePIN(context)
        let secret = try sharedSecret(with: peer, pinProtocol, context)
        try checkPIN(pinHashEnc, pinProtocol, secret, context)
        guard !state.pin.mustChange else { throw Refusal(.pinPolicyViolation, context.reason(.pinMustChange)) }
        if permissions == .persistentCredentialManagementReadOnly {
            return try handOver(state.settings.persistentToken, pinProtocol, secret, context)
        }
        return try beginToken(
            pinProtocol, secret, permissions, relyingPartyID: request.relyingPartyID, userIsPresent: false, context)
    }

    /// getPinUvAuthTokenUsingUvWithPermissions (CTAP 2.3 §6.5.5.7.3).
    func getTokenUsingUV(
        _ request: ClientPINRequest, _ context: CommandContext
    ) async throws(Refusal) -> ClientPINResponse {
        let peer = try require(request.keyAgreement, "keyAgreement", context)
        let pinProtocol = try requireProtocol(request, context)
        let permissions = try requirePermissions(request, byPIN: false, context)
        guard hasConfiguredBuiltInUV else {
            throw Refusal(.notAllowed, context.reason(.notEnrolled, as: "uvNotConfigured"))
        }
        do {
            _ = try await performBuiltInUV(context, relyingPartyID: request.relyingPartyID)
        } catch {
            throw refusal(of: error, context)
        }
        let secret = try sharedSecret(with: peer, pinProtocol, context)
        if permissions == .persistentCredentialManagementReadOnly {
            return try handOver(state.settings.persistentToken, pinProtocol, secret, context)
        }
        return try beginToken(
            pinProtocol, secret, permissions, relyingPartyID: request.relyingPartyID, userIsPresent: true, context)
    }

    /// The status of failed verification on the way to a token.
    private func refusal(of failure: BuiltInUVFailure, _ context: CommandContext) -> Refusal {
        let reason = context.builtInUVReason(failure.cause)
        return switch failure {
        case .interrupted(let refusal): refusal
        case .timedOut: Refusal(.userActionTimeout, reason)
        case .declined: Refusal(.operationDenied, reason)
        case .blocked: Refusal(.uvBlocked, reason)
        case .failed: Refusal(uvRetries == 0 ? .uvBlocked : .uvInvalid, reason)
        }
    }

    private func requirePermissions(
        _ request: ClientPINRequest, byPIN: Bool, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthTokenPermissions {
        let number = try require(request.permissions, "permissions", context)
        guard number != 0 else { throw Refusal(.invalidParameter, context.reason(.permissionsZero)) }
        // Undefined permissions are ignored; defined ones without a command on this device are refused.
        let permissions = PINUVAuthTokenPermissions(rawValue: UInt8(truncatingIfNeeded: number)).intersection(.all)
        guard availablePermissions(byPIN: byPIN).isSuperset(of: permissions) else {
            throw Refusal(.unauthorizedPermission, context.reason(.permissionUnsupported))
        }
        if permissions.contains(.persistentCredentialManagementReadOnly),
            permissions != .persistentCredentialManagementReadOnly
        {
            throw Refusal(.invalidParameter, context.reason(.persistentPermissionNotAlone))
        }
        if !permissions.isDisjoint(with: [.makeCredential, .getAssertion]) {
            _ = try require(request.relyingPartyID, "rpId", context)
        }
        return permissions
    }

    /// The permissions for which this device has a command (CTAP 2.3 §6.5.5.7, the table of permissions).
    private func availablePermissions(byPIN: Bool) -> PINUVAuthTokenPermissions {
        let management = configuration.management
        var available: PINUVAuthTokenPermissions =
            byPIN && configuration.refusesPINForCredentials ? [] : [.makeCredential, .getAssertion]
        if management.supportsCredentialManagement { available.insert(.credentialManagement) }
        if management.supportsPersistentTokens { available.insert(.persistentCredentialManagementReadOnly) }
        if let bio = bioEnrollmentConfiguration, byPIN || bio.allowsEnrollingByUV { available.insert(.bioEnrollment) }
        if configuration.largeBlobCapacity != nil { available.insert(.largeBlobWrite) }
        if !configSubcommands.isEmpty, byPIN || management.allowsConfigByUV {
            available.insert(.authenticatorConfiguration)
        }
        return available
    }

    /// Replaces every token, starts the new one and hands it over encrypted.
    private func beginToken(
        _ pinProtocol: PINUVAuthProtocol, _ secret: PINUVAuthProtocol.SharedSecret,
        _ permissions: PINUVAuthTokenPermissions, relyingPartyID: String?, userIsPresent: Bool,
        _ context: CommandContext
    ) throws(Refusal) -> ClientPINResponse {
        var token = PINUVAuthToken(bytes: environment.random.bytes(PINUVAuthProtocol.tokenLength))
        token.begin(
            permissions: permissions, relyingPartyID: relyingPartyID, userIsPresent: userIsPresent, at: now)
        state.session.tokens = [pinProtocol: token]
        return try handOver(token.bytes, pinProtocol, secret, context)
    }

    private func handOver(
        _ token: [UInt8], _ pinProtocol: PINUVAuthProtocol, _ secret: PINUVAuthProtocol.SharedSecret,
        _ context: CommandContext
    ) throws(Refusal) -> ClientPINResponse {
        let encrypted = pinProtocol.encrypt(
            token, with: secret, initializationVector: environment.random.bytes(16))
        guard let encrypted else { throw Refusal(.other, context.reason(.encryptionFailed)) }
        return ClientPINResponse(pinUvAuthToken: encrypted)
    }
}
