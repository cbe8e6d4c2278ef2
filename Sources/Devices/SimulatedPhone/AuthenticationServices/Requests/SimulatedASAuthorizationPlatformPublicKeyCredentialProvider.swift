public import Foundation

/// The shape of `ASAuthorizationPlatformPublicKeyCredentialProvider`: it creates requests for passkeys of the phone.
///
/// It follows Apple's document "Supporting passkeys":
/// <https://developer.apple.com/documentation/authenticationservices/supporting-passkeys>.
///
/// ```swift
/// import Foundation
/// import SimulatedPhone
///
/// func signIn(on phone: Phone, challenge: Data) async throws -> SimulatedASAuthorization {
///     let provider = SimulatedASAuthorizationPlatformPublicKeyCredentialProvider(
///         relyingPartyIdentifier: "example.com")
///     let request = provider.createCredentialAssertionRequest(challenge: challenge)
///     return try await SimulatedASAuthorizationController(authorizationRequests: [request], phone: phone).perform()
/// }
/// ```
public final class SimulatedASAuthorizationPlatformPublicKeyCredentialProvider: SimulatedASAuthorizationProvider {
    /// The RP ID, a domain with which the app is associated.
    public let relyingPartyIdentifier: String

    /// A provider for a relying party.
    public init(relyingPartyIdentifier: String) { self.relyingPartyIdentifier = relyingPartyIdentifier }

    /// A request for a new passkey.
    ///
    /// - Parameters:
    ///   - challenge: the bytes that the relying party issued for this request.
    ///   - name: the account's name, as the user sees it.
    ///   - userID: the user handle, 1 to 64 bytes.
    public func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data
    ) -> SimulatedASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        SimulatedASAuthorizationPlatformPublicKeyCredentialRegistrationRequest(
            self, challenge: challenge, name: name, userID: userID)
    }

    /// A request for a new passkey, with a style.
    public func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data,
        requestStyle: SimulatedASAuthorizationPlatformPublicKeyCredentialRegistrationRequest.RequestStyle
    ) -> SimulatedASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        let request = createCredentialRegistrationRequest(challenge: challenge, name: name, userID: userID)
        request.requestStyle = requestStyle
        return request
    }

    /// A request to sign in.
    ///
    /// - Parameter challenge: the bytes that the relying party issued for this request.
    public func createCredentialAssertionRequest(
        challenge: Data
    ) -> SimulatedASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
        SimulatedASAuthorizationPlatformPublicKeyCredentialAssertionRequest(self, challenge: challenge)
    }
}

/// The shape of `ASAuthorizationPlatformPublicKeyCredentialDescriptor`: a passkey by its ID.
public struct SimulatedASAuthorizationPlatformPublicKeyCredentialDescriptor: Hashable, Sendable {
    /// The credential ID.
    public let credentialID: Data

    /// A passkey by its ID.
    public init(credentialID: Data) { self.credentialID = credentialID }
}
