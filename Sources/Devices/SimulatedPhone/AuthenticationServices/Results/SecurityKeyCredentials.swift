// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
internal import WebAuthn

/// The shape of `ASAuthorizationSecurityKeyPublicKeyCredentialRegistration`: a new credential of a security key.
public final class SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistration:
    SimulatedASAuthorizationPublicKeyCredentialRegistration
{
    /// The client data.
    public let rawClientDataJSON: Data
    /// The credential ID.
    public let credentialID: Data
    /// The attestation object, with the new public key.
    public let rawAttestationObject: Data?
    /// The transports of the key (iOS 17.5).
    public let transports: [SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport]

    init(_ response: RegistrationResponse) {
        rawClientDataJSON = response.response.clientDataJSON.data
        credentialID = response.rawId.data
        rawAttestationObject = response.response.attestationObject.data
        transports = (response.response.transports ?? []).map { .init(rawValue: $0.rawValue) }
    }
}

/// The shape of `ASAuthorizationSecurityKeyPublicKeyCredentialAssertion`: a sign-in with a security key.
public final class SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertion:
    SimulatedASAuthorizationPublicKeyCredentialAssertion
{
    /// The client data.
    public let rawClientDataJSON: Data
    /// The credential ID.
    public let credentialID: Data
    /// The authenticator data.
    public let rawAuthenticatorData: Data!
    /// The user handle; empty for a credential that is not discoverable.
    public let userID: Data!
    /// The signature.
    public let signature: Data!

    init(_ response: AuthenticationResponse) {
        rawClientDataJSON = response.response.clientDataJSON.data
        credentialID = response.rawId.data
        rawAuthenticatorData = response.response.authenticatorData.data
        userID = response.response.userHandle?.data ?? Data()
        signature = response.response.signature.data
    }
}
