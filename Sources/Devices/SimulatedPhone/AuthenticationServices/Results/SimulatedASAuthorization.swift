// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation

/// The shape of `ASAuthorization`: the result of a request.
public final class SimulatedASAuthorization: Sendable {
    /// The provider that created the request.
    public let provider: any SimulatedASAuthorizationProvider
    /// The credential.
    public let credential: any SimulatedASAuthorizationCredential

    init(provider: any SimulatedASAuthorizationProvider, credential: any SimulatedASAuthorizationCredential) {
        (self.provider, self.credential) = (provider, credential)
    }
}

/// The shape of `ASAuthorizationCredential`: the credential that a request returns.
public protocol SimulatedASAuthorizationCredential: AnyObject, Sendable {}

/// The shape of `ASAuthorizationPublicKeyCredential`: a passkey's response.
public protocol SimulatedASAuthorizationPublicKeyCredential: SimulatedASAuthorizationCredential {
    /// The client data: JSON with the challenge and the origin, which is `https://` and the RP ID (WebAuthn L3 §5.8.1).
    var rawClientDataJSON: Data { get }
    /// The credential ID.
    var credentialID: Data { get }
}

/// The shape of `ASAuthorizationPublicKeyCredentialRegistration`: a new credential.
public protocol SimulatedASAuthorizationPublicKeyCredentialRegistration: SimulatedASAuthorizationPublicKeyCredential {
    /// The attestation object, with the new public key (WebAuthn L3 §6.5.4).
    var rawAttestationObject: Data? { get }
}

/// The shape of `ASAuthorizationPublicKeyCredentialAssertion`: a signature.
public protocol SimulatedASAuthorizationPublicKeyCredentialAssertion: SimulatedASAuthorizationPublicKeyCredential {
    /// The authenticator data (WebAuthn L3 §6.1).
    var rawAuthenticatorData: Data! { get }
    /// The user handle; empty if the authenticator returns none.
    var userID: Data! { get }
    /// The signature over the authenticator data and the SHA-256 hash of the client data.
    var signature: Data! { get }
}

/// The shape of `ASAuthorizationPublicKeyCredentialAttachment`, with Apple's numbers.
public enum SimulatedASAuthorizationPublicKeyCredentialAttachment: Int, Hashable, Sendable {
    /// The phone itself.
    case platform = 0
    /// Another device: a phone that scanned a QR code.
    case crossPlatform = 1
}
