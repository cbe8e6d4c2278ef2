internal import COSE
public import Foundation
public import RelyingParty
internal import Synchronization
internal import VirtualAuthenticator
internal import WebAuthn

/// A relying party in the test's own process: it issues challenges, and verifies the responses of passkeys.
///
/// The library `RelyingParty` verifies. Its ledger has each step of WebAuthn L3 §7.1 and §7.2 with its outcome, so that
/// a test sees the reason of a refusal.
///
/// ```swift
/// import SimulatedPhone
///
/// func signUp(on phone: Phone) async throws {
///     let site = SimulatedRelyingParty("example.com")
///     let provider = SimulatedASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: site.id)
///     let request = provider.createCredentialRegistrationRequest(
///         challenge: site.challenge(), name: "alice", userID: site.userID(of: "alice"))
///     let controller = SimulatedASAuthorizationController(authorizationRequests: [request], phone: phone)
///     try await site.register(controller.perform(), account: "alice")
/// }
/// ```
public final class SimulatedRelyingParty: Sendable {
    /// The RP ID, a domain.
    public let id: String
    /// The accepted origins.
    public let origins: [String]
    /// Whether a response without user verification is refused.
    public let requiresUserVerification: Bool

    private struct State {
        /// The issued challenges, oldest first, with whether each was answered.
        var challenges: [(bytes: [UInt8], isUsed: Bool)] = []
        var userIDs: [String: [UInt8]] = [:]
        var records: [CredentialRecord] = []
    }

    private let state = Mutex(State())
    private let random = SystemRandomSource()

    /// A relying party without credentials.
    ///
    /// - Parameters:
    ///   - id: the RP ID, a domain such as `example.com`.
    ///   - origins: the accepted origins; nil for `https://` and the RP ID, which iOS writes for apps.
    ///   - requiresUserVerification: whether a response without user verification is refused.
    public init(_ id: String, origins: [String]? = nil, requiresUserVerification: Bool = true) {
        (self.id, self.origins) = (id, origins ?? ["https://\(id)"])
        self.requiresUserVerification = requiresUserVerification
    }

    /// Issues a challenge of 32 random bytes for one response.
    public func challenge() -> Data {
        let bytes = random.bytes(32)
        state.withLock { $0.challenges.append((bytes, false)) }
        return Data(bytes)
    }

    /// The user handle of an account: 32 random bytes, the same in each call.
    public func userID(of account: String) -> Data {
        state.withLock { state in
            let id = state.userIDs[account] ?? random.bytes(32)
            state.userIDs[account] = id
            return Data(id)
        }
    }

    /// The credentials, oldest first.
    public var credentials: [CredentialRecord] { state.withLock { $0.records } }

    /// The IDs of an account's credentials, for the lists of a request.
    public func credentialIDs(of account: String) -> [Data] {
        let user = userID(of: account).bytes
        return credentials.filter { $0.userHandle == user }.map { Data($0.id) }
    }

    /// Removes a credential, as when its user revokes it.
    public func revoke(_ credentialID: Data) { state.withLock { $0.records.removeAll { $0.id == credentialID.bytes } } }
}

/// Registration.
extension SimulatedRelyingParty {
    /// Verifies a new credential, and stores it in an account.
    ///
    /// With `isConditional`, the credential was created without a prompt, and the user may have been absent.
    ///
    /// - Throws: `VerificationError` with the ledger; ``UnexpectedCredential`` for a credential other than a
    ///   new passkey.
    @discardableResult
    public func register(
        _ authorization: SimulatedASAuthorization, account: String, isConditional: Bool = false
    ) async throws -> VerifiedCredential {
        try await register(authorization.credential, account: account, isConditional: isConditional)
    }

    /// Verifies a new credential, and stores it in an account.
    ///
    /// - Throws: as ``register(_:account:isConditional:)-(SimulatedASAuthorization,_,_)``.
    @discardableResult
    public func register(
        _ credential: any SimulatedASAuthorizationCredential, account: String, isConditional: Bool = false
    ) async throws -> VerifiedCredential {
        let account = Registering(account: account, isConditional: isConditional)
        if let created = credential as? SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredential {
            return try await verdict(on: created.credentialRegistration, account).get()
        }
        guard let registration = credential as? any SimulatedASAuthorizationPublicKeyCredentialRegistration else {
            throw UnexpectedCredential(expected: "a new passkey", found: "\(type(of: credential))")
        }
        return try await verdict(on: registration, account).get()
    }

    /// The verdict on a new credential; an accepted one is stored in the account.
    public func verdict(
        on registration: any SimulatedASAuthorizationPublicKeyCredentialRegistration, account: String
    ) async -> RegistrationVerdict {
        await verdict(on: registration, Registering(account: account, isConditional: false))
    }

    private struct Registering {
        let account: String
        let isConditional: Bool
    }

    private func verdict(
        on registration: any SimulatedASAuthorizationPublicKeyCredentialRegistration, _ registering: Registering
    ) async -> RegistrationVerdict {
        let user = userID(of: registering.account).bytes
        let response = RegistrationResponse(
            credentialID: registration.credentialID.bytes, authenticatorAttachment: nil,
            clientExtensionResults: ClientExtensionResults(),
            response: .init(
                clientDataJSON: registration.rawClientDataJSON.bytes,
                attestationObject: registration.rawAttestationObject?.bytes ?? [], authenticatorData: nil))
        var ceremony = ceremony(answeredBy: registration.rawClientDataJSON)
        if registering.isConditional { ceremony.userVerification = .discouraged }
        let known = credentials
        let verdict = await RegistrationVerifier().verify(
            response,
            expectation: RegistrationExpectation(
                ceremony: ceremony, algorithms: Self.algorithms, userHandle: user, completingUserHandle: user,
                requiresUserPresence: !registering.isConditional, now: .zero,
                owner: { id in
                    known.first { $0.id == id }.map { $0.userHandle == user ? .thisUser : .otherUser } ?? .unregistered
                }))
        if let credential = verdict.credential { state.withLock { $0.records.append(credential.record) } }
        return verdict
    }
}

/// Sign-in.
extension SimulatedRelyingParty {
    /// Verifies a sign-in.
    ///
    /// Without an account, the account of the response's user handle signs in.
    ///
    /// - Returns: the signed-in credential.
    /// - Throws: `VerificationError` with the ledger; ``UnexpectedCredential`` for a credential other than a
    ///   passkey's signature.
    @discardableResult
    public func signIn(_ authorization: SimulatedASAuthorization, account: String? = nil) throws -> CredentialUpdate {
        try signIn(authorization.credential, account: account)
    }

    /// Verifies a sign-in.
    ///
    /// - Throws: as ``signIn(_:account:)-(SimulatedASAuthorization,_)``.
    @discardableResult
    public func signIn(
        _ credential: any SimulatedASAuthorizationCredential, account: String? = nil
    ) throws -> CredentialUpdate {
        guard let assertion = credential as? any SimulatedASAuthorizationPublicKeyCredentialAssertion else {
            throw UnexpectedCredential(expected: "a passkey's signature", found: "\(type(of: credential))")
        }
        return try verdict(on: assertion, account: account).get()
    }

    /// The verdict on a sign-in; an accepted one updates the credential.
    public func verdict(
        on assertion: any SimulatedASAuthorizationPublicKeyCredentialAssertion, account: String? = nil
    ) -> AuthenticationVerdict {
        let response = AuthenticationResponse(
            credentialID: assertion.credentialID.bytes, authenticatorAttachment: nil,
            clientExtensionResults: ClientExtensionResults(),
            response: .init(
                clientDataJSON: assertion.rawClientDataJSON.bytes,
                authenticatorData: assertion.rawAuthenticatorData?.bytes ?? [],
                signature: assertion.signature?.bytes ?? [],
                userHandle: assertion.userID.flatMap { $0.isEmpty ? nil : $0.bytes }))
        let known = credentials
        let verdict = AuthenticationVerifier().verify(
            response,
            expectation: AuthenticationExpectation(
                ceremony: ceremony(answeredBy: assertion.rawClientDataJSON),
                user: account.map { .known(userID(of: $0).bytes) } ?? .unknown),
            storedCredential: { id in known.first { $0.id == id } })
        if let update = verdict.update {
            state.withLock { state in
                guard let place = state.records.firstIndex(where: { $0.id == update.id }) else { return }
                state.records[place].signCount = update.signCount
                state.records[place].backupState = update.backupState
                state.records[place].uvInitialized = update.uvInitialized
            }
        }
        return verdict
    }
}

extension SimulatedRelyingParty {
    private static let algorithms: [COSE.Algorithm] = [.es256, .rs256, .edDSA]

    /// The expectation of a response: the challenge that it answers, or the last one that was issued.
    private func ceremony(answeredBy clientData: Data) -> CeremonyExpectation {
        let named = try? JSONDecoder().decode(NamedChallenge.self, from: clientData)
        let answered = named.flatMap { Base64URL.decode($0.challenge) }
        let (challenge, challengeState) = state.withLock { state -> ([UInt8], ChallengeState) in
            guard let place = state.challenges.firstIndex(where: { $0.bytes == answered }) else {
                return (state.challenges.last?.bytes ?? [], .unknown)
            }
            defer { state.challenges[place].isUsed = true }
            return (state.challenges[place].bytes, state.challenges[place].isUsed ? .used : .current)
        }
        return CeremonyExpectation(
            relyingPartyID: id, challenge: challenge, challengeState: challengeState, origins: origins,
            userVerification: requiresUserVerification ? .required : .discouraged)
    }

    private struct NamedChallenge: Decodable {
        let challenge: String
    }
}

/// The error of a credential whose kind the relying party does not verify.
public struct UnexpectedCredential: Error, Hashable, Sendable, CustomStringConvertible {
    let expected: String
    let found: String

    /// The found type, and the expected credential.
    public var description: String { "\(found) is not \(expected); pass the result of a request for one" }
}
