// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
internal import WebAuthn

/// The shape of `ASAuthorizationPlatformPublicKeyCredentialRegistration`: a new passkey.
public final class SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration:
    SimulatedASAuthorizationPublicKeyCredentialRegistration
{
    /// The client data.
    public let rawClientDataJSON: Data
    /// The credential ID.
    public let credentialID: Data
    /// The attestation object, with the new public key.
    public let rawAttestationObject: Data?
    /// The device that created the passkey.
    public let attachment: SimulatedASAuthorizationPublicKeyCredentialAttachment
    /// Whether the passkey has a large blob; nil if the app did not request one.
    public let largeBlob: SimulatedASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput?
    /// Whether the passkey has a pseudo-random function, and its outputs; nil if the app did not request one.
    public let prf: SimulatedASAuthorizationPublicKeyCredentialPRFRegistrationOutput?

    init(_ response: RegistrationResponse) {
        rawClientDataJSON = response.response.clientDataJSON.data
        credentialID = response.rawId.data
        rawAttestationObject = response.response.attestationObject.data
        attachment = SimulatedASAuthorizationPublicKeyCredentialAttachment(response.authenticatorAttachment)
        largeBlob = response.clientExtensionResults.largeBlob.map {
            .init(isSupported: $0.supported == true)
        }
        prf = response.clientExtensionResults.prf.map(
            SimulatedASAuthorizationPublicKeyCredentialPRFRegistrationOutput.init)
    }
}

/// The shape of `ASAuthorizationPlatformPublicKeyCredentialAssertion`: a sign-in with a passkey.
public final class SimulatedASAuthorizationPlatformPublicKeyCredentialAssertion:
    SimulatedASAuthorizationPublicKeyCredentialAssertion
{
    /// The client data.
    public let rawClientDataJSON: Data
    /// The credential ID.
    public let credentialID: Data
    /// The authenticator data.
    public let rawAuthenticatorData: Data!
    /// The user handle.
    public let userID: Data!
    /// The signature.
    public let signature: Data!
    /// The device with the passkey.
    public let attachment: SimulatedASAuthorizationPublicKeyCredentialAttachment
    /// The result of the operation on the large blob; nil if the app requested none.
    public let largeBlob: SimulatedASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput?
    /// The outputs of the pseudo-random function; nil if it was not evaluated.
    public let prf: SimulatedASAuthorizationPublicKeyCredentialPRFAssertionOutput?

    init(_ response: AuthenticationResponse) {
        rawClientDataJSON = response.response.clientDataJSON.data
        credentialID = response.rawId.data
        rawAuthenticatorData = response.response.authenticatorData.data
        userID = response.response.userHandle?.data ?? Data()
        signature = response.response.signature.data
        attachment = SimulatedASAuthorizationPublicKeyCredentialAttachment(response.authenticatorAttachment)
        largeBlob = response.clientExtensionResults.largeBlob.map(
            SimulatedASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput.init)
        prf = response.clientExtensionResults.prf?.results.map(
            SimulatedASAuthorizationPublicKeyCredentialPRFAssertionOutput.init)
    }
}

extension SimulatedASAuthorizationPublicKeyCredentialAttachment {
    fileprivate init(_ attachment: String?) {
        self = attachment == AuthenticatorAttachment.crossPlatform.rawValue ? .crossPlatform : .platform
    }
}
