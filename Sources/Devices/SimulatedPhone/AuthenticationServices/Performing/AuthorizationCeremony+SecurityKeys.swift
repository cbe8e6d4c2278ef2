internal import CTAP
internal import Causes
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// Requests that a security key carries out.
extension AuthorizationCeremony {
    /// The time for which a sheet waits for a key.
    private static let patience = Duration.seconds(120)

    func registerKey(
        _ options: CreationOptions
    ) async throws -> SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistration {
        let connected = try connectedKey(.create)
        let response = try await asking(.create, at: connected.key) {
            try await connected.client().create(options, origin: origin(options.rp.id))
        }
        return SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistration(response)
    }

    func signInWithKey(
        _ options: RequestOptions, allowed: [SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor]
    ) async throws -> SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertion {
        let connected = try connectedKey(.get)
        var options = options
        if !allowed.isEmpty {
            let reachable = allowed.filter { $0.transports.isEmpty || $0.transports.contains(connected.transport) }
            guard !reachable.isEmpty else { throw AuthorizationFailure(cause: .noCredentials) }
            options.allowCredentials = reachable.map { CredentialDescriptor(id: $0.credentialID.bytes) }
        }
        let request = options
        let response = try await asking(.get, at: connected.key) {
            try await connected.client().get(request, origin: origin(request.rpId))
        }
        return SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertion(response)
    }

    /// Runs a ceremony at a key; the error names a PIN that is missing.
    private func asking<Response>(
        _ operation: PlatformOperation, at key: SimulatedSecurityKey, _ ceremony: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await asking(operation, ceremony)
        } catch var failure as AuthorizationFailure {
            if failure.cause == RefusalReason.userVerificationUnavailable.cause, !key.hasPIN {
                failure.reason =
                    "\(key.title) has no PIN, and the request requires the user's verification; set one with key.setPIN."
            }
            throw failure
        }
    }

    /// The connected key; without one the sheet waits, and ends.
    private func connectedKey(_ operation: PlatformOperation) throws -> AuthorizationDesk.ConnectedKey {
        if let connected = phone.desk.connected { return connected }
        phone.clock.advance(by: Self.patience)
        throw AuthorizationFailure(
            cause: .securityKeyTimedOut, operation: operation,
            reason:
                "No security key was connected; plug one in with phone.plugIn, or hold one to the phone with phone.tap."
        )
    }
}

extension AuthorizationDesk.ConnectedKey {
    fileprivate func client() -> WebAuthnClient {
        key.client(over: AuthenticatorTransport(rawValue: transport.rawValue))
    }
}
