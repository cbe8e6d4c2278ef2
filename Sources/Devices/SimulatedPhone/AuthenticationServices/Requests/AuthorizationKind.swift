internal import Foundation
internal import WebAuthn

/// A request as the phone performs it.
enum AuthorizationKind: Sendable {
    /// A new passkey; a conditional one is made without a prompt.
    case registration(CreationOptions, isConditional: Bool)
    /// A sign-in with a passkey; `offersOtherDevices` shows a QR code for another phone.
    case assertion(RequestOptions, offersOtherDevices: Bool)
    /// A new credential on a security key.
    case securityKeyRegistration(CreationOptions)
    /// A sign-in with a security key, by the credentials of each connection that the request allows; nil for any.
    case securityKeyAssertion(
        RequestOptions, allowed: [SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor])
    /// A saved password.
    case password
    /// A new account with a passkey.
    case accountCreation(AccountCreation)

    /// The relying party; nil for a password.
    var relyingPartyID: String? {
        switch self {
        case .registration(let options, _), .securityKeyRegistration(let options): options.rp.id
        case .assertion(let options, _), .securityKeyAssertion(let options, _): options.rpId
        case .password: nil
        case .accountCreation(let account): account.relyingPartyID
        }
    }

    /// The operation, by which the table of platform errors distinguishes codes.
    var isCreation: Bool {
        switch self {
        case .registration, .securityKeyRegistration, .accountCreation: true
        case .assertion, .securityKeyAssertion, .password: false
        }
    }

    /// Whether a security key carries it out.
    var isForSecurityKeys: Bool {
        switch self {
        case .securityKeyRegistration, .securityKeyAssertion: true
        case .registration, .assertion, .password, .accountCreation: false
        }
    }
}

/// A request with the provider that made it.
struct PlannedAuthorization: Sendable {
    let provider: any SimulatedASAuthorizationProvider
    let kind: AuthorizationKind
}

extension Data {
    var bytes: [UInt8] { Array(self) }
}

extension Base64URLBytes {
    var data: Data { Data(bytes) }
}
