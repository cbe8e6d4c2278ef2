public import Foundation
internal import WebAuthn

#if canImport(AuthenticationServices)
public import AuthenticationServices
#endif

/// The shape of `ASAuthorizationPlatformPublicKeyCredentialAssertionRequest`: a sign-in with a passkey of the phone.
public final class SimulatedASAuthorizationPlatformPublicKeyCredentialAssertionRequest:
    SimulatedASAuthorizationRequest
{
    /// The RP ID.
    public let relyingPartyIdentifier: String
    /// The challenge.
    public var challenge: Data
    /// The passkeys that may answer; empty for any passkey of the relying party.
    public var allowedCredentials: [SimulatedASAuthorizationPlatformPublicKeyCredentialDescriptor] = []
    /// Whether the app requests a verification of the user; a phone with a sensor always verifies the user.
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    /// Whether the sheet offers another device, which scans a QR code.
    public var shouldShowHybridTransport = true
    /// The operation on the passkey's large blob (iOS 17).
    public var largeBlob: SimulatedASAuthorizationPublicKeyCredentialLargeBlobAssertionInput?
    /// The inputs of the passkey's pseudo-random function (iOS 18).
    public var prf: SimulatedASAuthorizationPublicKeyCredentialPRFAssertionInput?

    init(_ provider: SimulatedASAuthorizationPlatformPublicKeyCredentialProvider, challenge: Data) {
        (relyingPartyIdentifier, self.challenge) = (provider.relyingPartyIdentifier, challenge)
        super.init(provider: provider)
    }

    override func kind() -> AuthorizationKind? {
        let allowed = allowedCredentials.map { CredentialDescriptor(id: $0.credentialID.bytes) }
        return .assertion(
            RequestOptions(
                challenge: challenge.bytes, rpId: relyingPartyIdentifier,
                allowCredentials: allowed.isEmpty ? nil : allowed,
                userVerification: .ofPasskey(userVerificationPreference.rawValue),
                extensions: ClientExtensionInputs(prf: prf?.inputs, largeBlob: largeBlob?.inputs)),
            offersOtherDevices: shouldShowHybridTransport)
    }
}
