// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

import Foundation
import SignIn
import SimulatedPhone

/// The app's server, with a relying party that verifies what the app sends.
@MainActor
final class TestServer: SignInServer {
    let site = SimulatedRelyingParty("example.com")
    /// The accounts with a passkey.
    private var accounts: [String] = []

    func registrationOptions(for account: String) -> RegistrationOptions {
        RegistrationOptions(
            challenge: base64URL(site.challenge()), userID: site.userID(of: account), account: account,
            existing: site.credentialIDs(of: account))
    }

    func register(_ passkey: NewPasskey, for account: String) async throws {
        try await site.register(SentPasskey(passkey), account: account)
        accounts.append(account)
    }

    func signInOptions(for account: String?) -> SignInOptions {
        SignInOptions(
            challenge: base64URL(site.challenge()), allowed: account.map { site.credentialIDs(of: $0) } ?? [])
    }

    func signIn(with signature: PasskeySignature) throws -> ServerSession {
        let credential = Data(try site.signIn(SentSignature(signature)).id)
        guard let account = accounts.first(where: { site.credentialIDs(of: $0).contains(credential) }) else {
            throw CocoaError(.userCancelled)
        }
        return ServerSession(account: account, token: Data("token of \(account)".utf8))
    }

    private func base64URL(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

/// A passkey as it arrives at the server.
private final class SentPasskey: SimulatedASAuthorizationPublicKeyCredentialRegistration {
    let rawClientDataJSON: Data
    let credentialID: Data
    let rawAttestationObject: Data?

    init(_ passkey: NewPasskey) {
        (rawClientDataJSON, credentialID) = (passkey.clientDataJSON, passkey.credentialID)
        rawAttestationObject = passkey.attestationObject
    }
}

/// A signature as it arrives at the server.
private final class SentSignature: SimulatedASAuthorizationPublicKeyCredentialAssertion {
    let rawClientDataJSON: Data
    let credentialID: Data
    let rawAuthenticatorData: Data!
    let userID: Data!
    let signature: Data!

    init(_ sent: PasskeySignature) {
        (rawClientDataJSON, credentialID) = (sent.clientDataJSON, sent.credentialID)
        (rawAuthenticatorData, userID, signature) = (sent.authenticatorData, sent.userID, sent.signature)
    }
}
