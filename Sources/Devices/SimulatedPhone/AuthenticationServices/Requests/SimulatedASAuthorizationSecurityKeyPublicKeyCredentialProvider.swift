public import Foundation
internal import WebAuthn

#if canImport(AuthenticationServices)
public import AuthenticationServices
#endif

/// The shape of `ASAuthorizationSecurityKeyPublicKeyCredentialProvider`: it creates requests for security keys.
///
/// It follows Apple's document "Supporting Security Key Authentication Using Physical Keys". A test connects a key with
/// ``Phone/plugIn(_:)-(String)``.
public final class SimulatedASAuthorizationSecurityKeyPublicKeyCredentialProvider: SimulatedASAuthorizationProvider {
    /// The RP ID, a domain with which the app is associated.
    public let relyingPartyIdentifier: String

    /// A provider for a relying party.
    public init(relyingPartyIdentifier: String) { self.relyingPartyIdentifier = relyingPartyIdentifier }

    /// A request for a new credential on a security key.
    ///
    /// - Parameters:
    ///   - challenge: the bytes that the relying party issued for this request.
    ///   - displayName: the user's name.
    ///   - name: the account's name.
    ///   - userID: the user handle, 1 to 64 bytes.
    public func createCredentialRegistrationRequest(
        challenge: Data, displayName: String, name: String, userID: Data
    ) -> SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest {
        SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest(
            self, challenge: challenge, displayName: displayName, name: name, userID: userID)
    }

    /// A request to sign in with a security key.
    ///
    /// - Parameter challenge: the bytes that the relying party issued for this request.
    public func createCredentialAssertionRequest(
        challenge: Data
    ) -> SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest {
        SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest(self, challenge: challenge)
    }
}

/// The shape of `ASAuthorizationPublicKeyCredentialParameters`: an acceptable algorithm.
public struct SimulatedASAuthorizationPublicKeyCredentialParameters: Hashable, Sendable {
    /// The algorithm.
    public let algorithm: ASCOSEAlgorithmIdentifier

    /// An acceptable algorithm.
    public init(algorithm: ASCOSEAlgorithmIdentifier) { self.algorithm = algorithm }
}

/// The shape of `ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor`: a credential of a security key by its ID.
public struct SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor: Hashable, Sendable {
    /// A transport of security keys (WebAuthn L3 §5.8.4).
    public struct Transport: RawRepresentable, Hashable, Sendable {
        /// The name in WebAuthn, such as `usb`.
        public let rawValue: String
        /// A transport by its name in WebAuthn.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A transport by its name in WebAuthn.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// USB: the key is plugged in.
        public static let usb = Self("usb")
        /// NFC: the key is held to the phone.
        public static let nfc = Self("nfc")
        /// Bluetooth Low Energy.
        public static let bluetooth = Self("ble")
        /// All transports.
        public static let allSupported = [usb, nfc, bluetooth]
    }

    /// The credential ID.
    public let credentialID: Data
    /// The transports over which the credential may answer.
    public let transports: [Transport]

    /// A credential by its ID, with the transports over which it may answer.
    public init(credentialID: Data, transports: [Transport]) {
        (self.credentialID, self.transports) = (credentialID, transports)
    }
}

/// The shape of `ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest`: a new credential on a security key.
public final class SimulatedASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest:
    SimulatedASAuthorizationRequest
{
    /// The RP ID.
    public let relyingPartyIdentifier: String
    /// The challenge.
    public var challenge: Data
    /// The user's name.
    public var displayName: String?
    /// The account's name.
    public var name: String
    /// The user handle, 1 to 64 bytes.
    public var userID: Data
    /// The acceptable algorithms, most preferred first; empty for ES256 and RS256.
    public var credentialParameters: [SimulatedASAuthorizationPublicKeyCredentialParameters] = []
    /// The account's credentials; the request fails on a key that has one of them.
    public var excludedCredentials: [SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] = []
    /// Whether the app requests a discoverable credential.
    public var residentKeyPreference = ASAuthorizationPublicKeyCredentialResidentKeyPreference.discouraged
    /// The attestation.
    public var attestationPreference = ASAuthorizationPublicKeyCredentialAttestationKind.none
    /// Whether the app requests a verification of the user, with a PIN or at the key's sensor.
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred

    init(
        _ provider: SimulatedASAuthorizationSecurityKeyPublicKeyCredentialProvider, challenge: Data,
        displayName: String, name: String, userID: Data
    ) {
        relyingPartyIdentifier = provider.relyingPartyIdentifier
        (self.challenge, self.displayName, self.name, self.userID) = (challenge, displayName, name, userID)
        super.init(provider: provider)
    }

    override func kind() -> AuthorizationKind? {
        .securityKeyRegistration(
            CreationOptions(
                rp: RelyingPartyEntity(id: relyingPartyIdentifier, name: relyingPartyIdentifier),
                user: UserEntity(id: userID.bytes, name: name, displayName: displayName ?? name),
                challenge: challenge.bytes,
                pubKeyCredParams: credentialParameters.map { CredentialParameters(alg: $0.algorithm.rawValue) },
                excludeCredentials: excludedCredentials.map { CredentialDescriptor(id: $0.credentialID.bytes) },
                authenticatorSelection: AuthenticatorSelection(
                    authenticatorAttachment: .crossPlatform,
                    residentKey: ResidentKeyRequirement(rawValue: residentKeyPreference.rawValue),
                    userVerification: UserVerificationRequirement(rawValue: userVerificationPreference.rawValue)),
                attestation: AttestationConveyancePreference(rawValue: attestationPreference.rawValue)))
    }
}

/// The shape of `ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest`: a sign-in with a security key.
public final class SimulatedASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest:
    SimulatedASAuthorizationRequest
{
    /// The RP ID.
    public let relyingPartyIdentifier: String
    /// The challenge.
    public var challenge: Data
    /// The credentials that may answer; empty for any discoverable credential of the relying party.
    public var allowedCredentials: [SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] = []
    /// Whether the app requests a verification of the user, with a PIN or at the key's sensor.
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred

    init(_ provider: SimulatedASAuthorizationSecurityKeyPublicKeyCredentialProvider, challenge: Data) {
        (relyingPartyIdentifier, self.challenge) = (provider.relyingPartyIdentifier, challenge)
        super.init(provider: provider)
    }

    override func kind() -> AuthorizationKind? {
        .securityKeyAssertion(
            RequestOptions(
                challenge: challenge.bytes, rpId: relyingPartyIdentifier,
                userVerification: UserVerificationRequirement(rawValue: userVerificationPreference.rawValue)),
            allowed: allowedCredentials)
    }
}
