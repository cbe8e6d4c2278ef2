import Foundation

/// The usual fake: an answer, or an error.
@MainActor
final class FakePasskeys: Passkeys {
    var error: (any Error)?
    private let bytes = Data("bytes".utf8)

    func create(_ options: RegistrationOptions) throws -> NewPasskey {
        if let error { throw error }
        return NewPasskey(credentialID: bytes, clientDataJSON: bytes, attestationObject: bytes)
    }

    func sign(_ options: SignInOptions, quietly: Bool) throws -> PasskeySignature { try signature() }
    func offer(_ options: SignInOptions) throws -> PasskeySignature { try signature() }
    func cancel() {}

    private func signature() throws -> PasskeySignature {
        if let error { throw error }
        return PasskeySignature(
            credentialID: bytes, clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userID: bytes)
    }
}

/// The usual fake: a server that accepts everything.
@MainActor
final class FakeServer: SignInServer {
    private(set) var passkeys: [NewPasskey] = []

    func registrationOptions(for account: String) -> RegistrationOptions {
        RegistrationOptions(challenge: "Y2hhbGxlbmdl", userID: Data("1".utf8), account: account, existing: [])
    }

    func register(_ passkey: NewPasskey, for account: String) { passkeys.append(passkey) }

    func signInOptions(for account: String?) -> SignInOptions { SignInOptions(challenge: "Y2hhbGxlbmdl") }

    func signIn(with signature: PasskeySignature) -> ServerSession {
        ServerSession(account: "eva", token: Data("token".utf8))
    }
}
