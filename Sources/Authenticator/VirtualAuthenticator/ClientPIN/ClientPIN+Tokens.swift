internal import CTAP
internal import Causes

extension VirtualAuthenticator {
    /// getPinToken (CTAP 2.3 §6.5.5.7.1) and getPinUvAuthTokenUsingPinWithPermissions (§6.5.5.7.2).
    func getTokenUsingPIN(
        _ request: ClientPINRequest, withPermissions: Bool, _ context: CommandContext
    ) throws(Refusal) -> ClientPINResponse {
        let peer = try context.require(request.keyAgreement, "keyAgreement")
        let pinHashEnc = try context.require(request.pinHashEnc, "pinHashEnc")
        let pinProtocol = try requireProtocol(request, context)
        let permissions =
            withPermissions
            ? try requestedPermissions(request, byPIN: true, context) : try defaultPermissions(request, context)
        try requireUsablePIN(context)
        let secret = try sharedSecret(with: peer, pinProtocol, context)
        try checkPIN(pinHashEnc, pinProtocol, secret, context)
        try require(
            !state.pin.mustChange,
            else: context.refusal(withPermissions ? .pinPolicyViolation : .pinInvalid, .pinMustChange))
        return try giveToken(request, permissions, pinProtocol, secret, userIsPresent: false, context)
    }

    /// getPinUvAuthTokenUsingUvWithPermissions (CTAP 2.3 §6.5.5.7.3).
    func getTokenUsingUV(
        _ request: ClientPINRequest, _ context: CommandContext
    ) async throws(Refusal) -> ClientPINResponse {
        let peer = try context.require(request.keyAgreement, "keyAgreement")
        let pinProtocol = try requireProtocol(request, context)
        let permissions = try requestedPermissions(request, byPIN: false, context)
        try require(hasConfiguredBuiltInUV, else: context.refusal(.notAllowed, .notEnrolled, as: "uvNotConfigured"))
        _ = try await verifyAtSensor(context, relyingPartyID: request.relyingPartyID, status: statusOfFailedUV)
        let secret = try sharedSecret(with: peer, pinProtocol, context)
        return try giveToken(request, permissions, pinProtocol, secret, userIsPresent: true, context)
    }

    private func statusOfFailedUV(_ failure: BuiltInUVFailure) -> CTAPStatus {
        if case .declined = failure { return .operationDenied }
        if case .blocked = failure { return .uvBlocked }
        return uvRetries == 0 ? .uvBlocked : .uvInvalid
    }

    /// The permissions of getPinToken's token: mc and ga, for the RP ID of its first use (CTAP 2.3 §6.5.5.7.1).
    private func defaultPermissions(
        _ request: ClientPINRequest, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthTokenPermissions {
        try require(
            request.permissions == nil && request.relyingPartyID == nil,
            else: context.refusal(.invalidParameter, .permissionsNotAllowed))
        var permissions: PINUVAuthTokenPermissions =
            configuration.refusesPINForCredentials ? [] : [.makeCredential, .getAssertion]
        // Clients of keys without permissions expect this token to cover their draft commands.
        if !configuration.supportsPinUvAuthToken { permissions.formUnion(availablePermissions(byPIN: true)) }
        return permissions
    }

    private func requestedPermissions(
        _ request: ClientPINRequest, byPIN: Bool, _ context: CommandContext
    ) throws(Refusal) -> PINUVAuthTokenPermissions {
        let number = try context.require(request.permissions, "permissions")
        try require(number != 0, else: context.refusal(.invalidParameter, .permissionsZero))
        // Undefined permissions are ignored; defined ones without a command on this device are refused.
        let permissions = PINUVAuthTokenPermissions(rawValue: UInt8(truncatingIfNeeded: number)).intersection(.all)
        try require(
            availablePermissions(byPIN: byPIN).isSuperset(of: permissions),
            else: context.refusal(.unauthorizedPermission, .permissionUnsupported))
        if permissions.contains(.persistentCredentialManagementReadOnly),
            permissions != .persistentCredentialManagementReadOnly
        {
            throw context.refusal(.unauthorizedPermission, .persistentPermissionNotAlone)
        }
        if !permissions.isDisjoint(with: [.makeCredential, .getAssertion]) {
            _ = try context.require(request.relyingPartyID, "rpId")
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

    /// Gives the persistent token, or replaces every other token by a new one.
    private func giveToken(
        _ request: ClientPINRequest, _ permissions: PINUVAuthTokenPermissions, _ pinProtocol: PINUVAuthProtocol,
        _ secret: PINUVAuthProtocol.SharedSecret, userIsPresent: Bool, _ context: CommandContext
    ) throws(Refusal) -> ClientPINResponse {
        var bytes = state.settings.persistentToken
        if permissions != .persistentCredentialManagementReadOnly {
            bytes = environment.random.bytes(PINUVAuthProtocol.tokenLength)
            let token = PINUVAuthToken(
                bytes: bytes, permissions: permissions, coversPreview: request.permissions == nil,
                relyingPartyID: request.relyingPartyID, userIsPresent: userIsPresent,
                over: context.request.transport, at: now)
            state.session.tokens = [:]
            state.session.tokens[pinProtocol] = token
        }
        let encrypted = pinProtocol.encrypt(bytes, with: secret, initializationVector: environment.random.bytes(16))
        guard let encrypted else { throw context.refusal(.other, .encryptionFailed) }
        return ClientPINResponse(pinUvAuthToken: encrypted)
    }
}
