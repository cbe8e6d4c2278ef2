internal import LoopbackHTTP
package import WebAuthn

/// A passkey of an account, as a further service lists it.
package struct RelyingPartyPasskey: Encodable, Hashable, Sendable {
    package let credentialId: String
    package let deviceName: String
    package let createdAt: String
    package let lastUsedAt: String?

    init(_ passkey: PasskeySummary) {
        credentialId = Base64URL.encode(passkey.credentialId.bytes)
        deviceName = passkey.deviceName
        createdAt = passkey.createdAt.iso8601
        lastUsedAt = passkey.lastUsedAt?.iso8601
    }
}

/// The passkeys of an account that another service has authenticated.
extension RelyingPartySite {
    /// Issues the options of a registration, and the token that the response must carry.
    ///
    /// - Parameter authenticatedAt: the time of the user's login; an old login adds no passkey.
    package func beginRegistration(
        of accountID: Int64, authenticatedAt: Timestamp
    ) async throws -> (options: CreationOptions, token: String) {
        let token = try await openSession(accountID: accountID, authenticatedAt: authenticatedAt)
        do {
            return (try await service.beginRegistration(RegistrationRequest(), token: SessionToken(token)), token)
        } catch {
            try await service.signOut(SessionToken(token))
            throw error
        }
    }

    /// - Throws: `session.required` for a token of another account, `registration.refused` with the failed step.
    package func completeRegistration(
        json: [UInt8], token: String, of accountID: Int64, userAgent: String?
    ) async throws -> RelyingPartyPasskey {
        let token = SessionToken(token)
        let body = try JSONBody.ceremony(RegistrationResponse.self, insteadOf: AuthenticationResponse.self, from: json)
        try await service.asUser(token) { caller, _ in
            guard caller.userID == accountID else { throw APIError.sessionRequired }
        }
        let passkey = try await service.completeRegistration(
            body, deviceName: PasskeyDeviceName.guess(userAgent: userAgent), token: token)
        try await service.signOut(token)
        return RelyingPartyPasskey(passkey)
    }

    package func passkeys(of accountID: Int64) async throws -> [RelyingPartyPasskey] {
        try await withSession(of: accountID) { token in
            try await service.passkeys(token: token).map { RelyingPartyPasskey($0) }
        }
    }

    /// Removes a passkey of an account whose user a passkey has just verified, and ends the sessions it opened.
    ///
    /// - Throws: `credential.notFound`, and `credential.last` for the last one of an account without a password.
    package func deletePasskey(_ id: [UInt8], of accountID: Int64) async throws {
        try await withSession(of: accountID, isVerified: true) { token in
            try await service.deletePasskey(id, token: token)
        }
    }

    private func withSession<Result: Sendable>(
        of accountID: Int64, isVerified: Bool = false, _ operation: (SessionToken?) async throws -> Result
    ) async throws -> Result {
        let token = SessionToken(
            try await openSession(accountID: accountID, authenticatedAt: service.now, isVerified: isVerified))
        do {
            let result = try await operation(token)
            try await service.signOut(token)
            return result
        } catch {
            try await service.signOut(token)
            throw error
        }
    }
}
