internal import CTAP

/// The user verification in a request.
enum UserVerification: Sendable {
    case none
    /// `uv: true`: the device verifies the user during the request.
    case option
    /// A pinUvAuthParam made with this token.
    case token(PINClient.Token)

    var options: [String: Bool] { if case .option = self { ["uv": true] } else { [:] } }

    var isSome: Bool { if case .none = self { false } else { true } }

    var token: PINClient.Token? { if case .token(let token) = self { token } else { nil } }

    func parameters(over clientDataHash: [UInt8]) -> (param: [UInt8], pinProtocol: Int)? {
        guard let token else { return nil }
        return (token.authenticate(clientDataHash), token.pinProtocol.rawValue)
    }
}

/// Verifies the user: with the sensor first, and with the PIN when the sensor is missing, blocked or fails.
struct UserVerifier: Sendable {
    let session: Session
    let capability: UserVerificationCapability
    let permissions: PINUVAuthTokenPermissions
    let relyingPartyID: String
    /// Whether the device is the platform's own, which knows why it cannot verify the user, and refuses.
    let isPlatform: Bool

    /// Runs `request` with the wanted verification, and again with a stronger one if the device demands it.
    func perform<Response>(
        wanted: Bool, _ request: (UserVerification) async throws(WebAuthnClientError) -> Response
    ) async throws(WebAuthnClientError) -> Response {
        var verification = UserVerification.none
        if wanted {
            guard capability.isConfigured || isPlatform else {
                throw WebAuthnClientError(
                    session.ceremony == .create ? .constraintError : .notAllowedError, .userVerificationUnavailable)
            }
            verification = try await acquire()
        }
        // Each round is stronger than the last, so there are at most three.
        while true {
            do {
                return try await request(verification)
            } catch {
                guard let stronger = try await stronger(than: verification, after: error) else { throw error }
                verification = stronger
            }
        }
    }

    private func stronger(
        than verification: UserVerification, after error: WebAuthnClientError
    ) async throws(WebAuthnClientError) -> UserVerification? {
        switch verification {
        case .none:
            guard error.ctapStatus == .puatRequired, capability.isConfigured else { return nil }
            return try await acquire()
        case .option:
            // If a PIN is set, a device whose sensor failed asks for a token (CTAP 2.3 §6.1.2); older devices return
            // the token command's statuses.
            guard capability.pin != .none else { return nil }
            switch error.ctapStatus {
            case CTAPStatus.uvBlocked?: return .token(try await tokenUsingPIN(.builtInBlocked))
            case CTAPStatus.puatRequired?, CTAPStatus.uvInvalid?: return .token(try await tokenUsingPIN(.builtInFailed))
            default: return nil
            }
        case .token: return nil
        }
    }

    private func acquire() async throws(WebAuthnClientError) -> UserVerification {
        switch capability.builtIn {
        case .token: .token(try await tokenUsingSensor())
        case .option: .option
        case .none where capability.pin == .none: .option
        case .none: .token(try await tokenUsingPIN(.required))
        }
    }

    private func tokenUsingSensor() async throws(WebAuthnClientError) -> PINClient.Token {
        let hasPIN = capability.pin != .none
        var retries = hasPIN ? try await uvRetries() : nil
        if retries == 0 { return try await tokenUsingPIN(.builtInBlocked) }
        var attemptsLeft = capability.builtInAttempts
        while true {
            attemptsLeft -= 1
            do {
                return try await session.send { client async throws(AuthenticatorClient.Failure) in
                    try await pinClient(client).tokenUsingUV(permissions: permissions, relyingPartyID: relyingPartyID)
                }
            } catch {
                switch error.ctapStatus {
                case CTAPStatus.uvInvalid? where attemptsLeft > 0:
                    // A failure without a used retry is not the user's, and would only repeat.
                    if try await isSensorConfigured(), let left = try await uvRetries(), left < retries ?? .max {
                        retries = left
                        continue
                    }
                    guard hasPIN else { throw error }
                    return try await tokenUsingPIN(.builtInFailed)
                case CTAPStatus.uvInvalid? where hasPIN: return try await tokenUsingPIN(.builtInFailed)
                case CTAPStatus.uvBlocked? where hasPIN: return try await tokenUsingPIN(.builtInBlocked)
                // The last template was removed since getInfo.
                case CTAPStatus.notAllowed? where hasPIN: return try await tokenUsingPIN(.required)
                default: throw error
                }
            }
        }
    }

    /// Whether the sensor is still configured; it may have been removed or disabled since the first getInfo.
    private func isSensorConfigured() async throws(WebAuthnClientError) -> Bool {
        try await session.send { client async throws(AuthenticatorClient.Failure) in
            try await client.getInfo().option(.uv) == true
        }
    }

    /// The sensor's remaining retries; nil for a device that does not report them.
    private func uvRetries() async throws(WebAuthnClientError) -> Int? {
        do {
            return try await session.send { client async throws(AuthenticatorClient.Failure) in
                try await pinClient(client).uvRetries()
            }
        } catch {
            guard error.ctapStatus != nil else { throw error }
            return nil
        }
    }

    /// Asks for the PIN until it is correct, the user cancels or the device is blocked.
    private func tokenUsingPIN(_ firstReason: PINPrompt.Reason) async throws(WebAuthnClientError) -> PINClient.Token {
        guard !capability.mustChangePIN else { throw WebAuthnClientError(.notAllowedError, .pinChangeRequired) }
        var reason = firstReason
        while true {
            let (retries, powerCycleNeeded) = try await session.send {
                client async throws(AuthenticatorClient.Failure) in try await pinClient(client).pinRetries()
            }
            guard retries > 0 else { throw WebAuthnClientError(.notAllowedError, .pinBlocked) }
            let prompt = PINPrompt(reason: reason, retriesLeft: retries, powerCycleNeeded: powerCycleNeeded)
            guard case .pin(let pin) = try await session.ask({ await $0.enterPIN(prompt) }) else {
                throw WebAuthnClientError(.notAllowedError, .pinCancelled)
            }
            do {
                return try await session.send { client async throws(AuthenticatorClient.Failure) in
                    let scoped = capability.pin == .tokenWithPermissions
                    return try await pinClient(client).token(
                        pin: pin, permissions: scoped ? permissions : nil,
                        relyingPartyID: scoped ? relyingPartyID : nil)
                }
            } catch {
                guard error.ctapStatus == .pinInvalid else { throw error }
                reason = .wrongPIN
            }
        }
    }

    private func pinClient(_ client: AuthenticatorClient) -> PINClient {
        PINClient(client, protocol: capability.pinProtocol ?? .one, randomBytes: session.environment.randomBytes)
    }
}
