internal import Conformance
internal import WebAuthn

/// The cases of user handles and credential IDs in assertions (WebAuthn L3 §7.2 steps 5 and 6).
enum UserHandleCases {
    private static let clause = Clause.webauthn("7.2", step: "6")
    private static let anonymous = SignInForm(isAnonymous: true)

    static let all: [Case] = [
        .assertion(
            "userHandle.missing.named", with: "no user handle where the account was named", is: .accepted, clause,
            needs: [.allowList]
        ) { $0.userHandle = nil },
        .assertion(
            "userHandle.other.named", with: "another user handle where the account was named", is: .refused, clause,
            needs: [.allowList]
        ) { $0.userHandle = [UInt8](repeating: 0x42, count: 32) },
        .assertion(
            "userHandle.bit", with: "a user handle that differs in one bit", is: .refused, clause
        ) { $0.userHandle?[0] ^= 1 },
        .assertion(
            "userHandle.valid.anonymous", with: "the user handle where no account was named", is: .accepted, clause,
            needs: [.anonymousSignIn], form: anonymous
        ) { _ in },
        .assertion(
            "userHandle.missing.anonymous", with: "no user handle where no account was named", is: .refused, clause,
            needs: [.anonymousSignIn], form: anonymous
        ) { $0.userHandle = nil },
        .assertion(
            "userHandle.other.anonymous", with: "another user handle where no account was named", is: .refused, clause,
            needs: [.anonymousSignIn], form: anonymous
        ) { $0.userHandle = [UInt8](repeating: 0x42, count: 32) },
        .assertion(
            "userHandle.empty.anonymous", with: "an empty user handle where no account was named", is: .refused, clause,
            needs: [.anonymousSignIn], form: anonymous
        ) { $0.userHandle = [] },
        .assertion(
            "credentialID.bit", with: "a credential ID that differs in one bit", is: .refused,
            .webauthn("7.2", step: "5")
        ) { $0.credentialID[0] ^= 1 },
        .assertion(
            "credentialID.prefix", with: "a credential ID without its last byte", is: .refused,
            .webauthn("7.2", step: "5")
        ) { $0.credentialID.removeLast() },
        .assertion(
            "credentialID.surplus", with: "a credential ID with one more byte", is: .refused,
            .webauthn("7.2", step: "5")
        ) { $0.credentialID.append(0) },
        .assertion(
            "credentialID.empty", with: "an empty credential ID", is: .refused, .webauthn("7.2", step: "5")
        ) { $0.credentialID = [] },
    ]
}
