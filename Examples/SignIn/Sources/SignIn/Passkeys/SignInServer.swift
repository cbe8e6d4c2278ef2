public import Foundation

/// The server's options for a new passkey.
public struct RegistrationOptions: Sendable {
    /// The challenge, in base64url, as in JSON.
    public let challenge: String
    /// The user handle, without personal data.
    public let userID: Data
    /// The account's name, as the user sees it.
    public let account: String
    /// The account's passkeys.
    public let existing: [Data]

    /// Options.
    public init(challenge: String, userID: Data, account: String, existing: [Data]) {
        (self.challenge, self.userID, self.account, self.existing) = (challenge, userID, account, existing)
    }
}

/// The server's options for a sign-in.
public struct SignInOptions: Sendable {
    /// The challenge, in base64url, as in JSON.
    public let challenge: String
    /// The passkeys that may answer; empty for any.
    public let allowed: [Data]

    /// Options.
    public init(challenge: String, allowed: [Data] = []) { (self.challenge, self.allowed) = (challenge, allowed) }
}

/// A new passkey, for the server.
public struct NewPasskey: Sendable {
    /// The passkey's ID.
    public let credentialID: Data
    /// The client data.
    public let clientDataJSON: Data
    /// The attestation object.
    public let attestationObject: Data

    /// A passkey.
    public init(credentialID: Data, clientDataJSON: Data, attestationObject: Data) {
        self.credentialID = credentialID
        (self.clientDataJSON, self.attestationObject) = (clientDataJSON, attestationObject)
    }
}

/// A signature of a passkey, for the server.
public struct PasskeySignature: Sendable {
    /// The passkey's ID.
    public let credentialID: Data
    /// The client data.
    public let clientDataJSON: Data
    /// The authenticator data.
    public let authenticatorData: Data
    /// The signature.
    public let signature: Data
    /// The user handle.
    public let userID: Data

    /// A signature.
    public init(credentialID: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data, userID: Data) {
        (self.credentialID, self.clientDataJSON) = (credentialID, clientDataJSON)
        (self.authenticatorData, self.signature, self.userID) = (authenticatorData, signature, userID)
    }
}

/// A session that the server has opened.
public struct ServerSession: Equatable, Sendable {
    /// The account's name.
    public let account: String
    /// The token of the session.
    public let token: Data

    /// A session.
    public init(account: String, token: Data) { (self.account, self.token) = (account, token) }
}

/// The calls of the server that the app makes.
@MainActor
public protocol SignInServer: AnyObject {
    /// Options for a new passkey of an account.
    func registrationOptions(for account: String) async throws -> RegistrationOptions
    /// Stores a new passkey of an account.
    func register(_ passkey: NewPasskey, for account: String) async throws
    /// Options for a sign-in, or for a confirmation by an account.
    func signInOptions(for account: String?) async throws -> SignInOptions
    /// Checks a signature, and opens a session.
    func signIn(with signature: PasskeySignature) async throws -> ServerSession
}
