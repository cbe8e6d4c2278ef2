public import Foundation
internal import WebAuthn

#if canImport(AuthenticationServices)
public import AuthenticationServices
#endif

/// The shape of `ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest`: a new passkey of the phone.
public final class SimulatedASAuthorizationPlatformPublicKeyCredentialRegistrationRequest:
    SimulatedASAuthorizationRequest
{
    /// The style of a registration, with Apple's numbers.
    public enum RequestStyle: Int, Hashable, Sendable {
        /// A sheet asks the user, by default.
        case standard = 0
        /// The passkey is created without a prompt, shortly after a sign-in with the account's saved password (iOS 18).
        ///
        /// Without such a sign-in the request fails, and no sheet appears.
        case conditional = 1
    }

    /// The RP ID.
    public let relyingPartyIdentifier: String
    /// The challenge.
    public var challenge: Data
    /// The account's name, as the user sees it.
    public var name: String
    /// The user's name; Apple's system shows the account's name only.
    public var displayName: String?
    /// The user handle, 1 to 64 bytes.
    public var userID: Data
    /// Whether the app requests a verification of the user; a phone with a sensor always verifies the user.
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    /// The attestation; passkeys in iCloud Keychain have none, and managed passkeys can have one.
    public var attestationPreference = ASAuthorizationPublicKeyCredentialAttestationKind.none
    /// The account's passkeys; the request fails on a phone that has one of them (iOS 17.4).
    public var excludedCredentials: [SimulatedASAuthorizationPlatformPublicKeyCredentialDescriptor]?
    /// The request for a large blob (iOS 17); nil for none.
    public var largeBlob: SimulatedASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput?
    /// The request for a pseudo-random function (iOS 18); nil for none.
    public var prf: SimulatedASAuthorizationPublicKeyCredentialPRFRegistrationInput?
    /// The style of the registration.
    public var requestStyle = RequestStyle.standard

    init(
        _ provider: SimulatedASAuthorizationPlatformPublicKeyCredentialProvider, challenge: Data, name: String,
        userID: Data
    ) {
        relyingPartyIdentifier = provider.relyingPartyIdentifier
        (self.challenge, self.name, self.userID) = (challenge, name, userID)
        super.init(provider: provider)
    }

    override func kind() -> AuthorizationKind? {
        .registration(
            CreationOptions(
                passkeyOf: relyingPartyIdentifier, challenge: challenge,
                user: UserEntity(id: userID.bytes, name: name, displayName: displayName ?? name),
                userVerification: userVerificationPreference.rawValue,
                attestation: attestationPreference.rawValue, excluded: excludedCredentials ?? [],
                extensions: ClientExtensionInputs(prf: prf?.inputs, largeBlob: largeBlob?.inputs)),
            isConditional: requestStyle == .conditional)
    }
}

extension CreationOptions {
    /// The options of a passkey: discoverable, on the phone, with ES256.
    init(
        passkeyOf relyingPartyID: String, challenge: Data, user: UserEntity, userVerification: String? = nil,
        attestation: String? = nil, excluded: [SimulatedASAuthorizationPlatformPublicKeyCredentialDescriptor] = [],
        extensions: ClientExtensionInputs? = nil
    ) {
        self.init(
            rp: RelyingPartyEntity(id: relyingPartyID, name: relyingPartyID), user: user, challenge: challenge.bytes,
            pubKeyCredParams: [CredentialParameters(alg: ASCOSEAlgorithmIdentifier.ES256.rawValue)],
            excludeCredentials: excluded.map { CredentialDescriptor(id: $0.credentialID.bytes) },
            authenticatorSelection: AuthenticatorSelection(
                authenticatorAttachment: .platform, residentKey: .required,
                userVerification: .ofPasskey(userVerification)),
            attestation: attestation.flatMap(AttestationConveyancePreference.init), extensions: extensions)
    }
}

extension UserVerificationRequirement {
    /// The requirement of a passkey: a phone that can verify its user does so with each preference.
    static func ofPasskey(_ preference: String?) -> Self { preference == required.rawValue ? .required : .preferred }
}
