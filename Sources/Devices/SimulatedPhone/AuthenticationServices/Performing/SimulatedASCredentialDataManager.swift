public import Foundation
internal import PlatformErrors
internal import SimulatedDevice

#if canImport(AuthenticationServices)
internal import AuthenticationServices
#endif

/// The shape of `ASCredentialDataManager` (iOS 26.2), and of `ASCredentialUpdater` (iOS 26.0): an app's news about its
/// users' credentials.
///
/// It follows Apple's document: <https://developer.apple.com/documentation/authenticationservices/ascredentialdatamanager>.
/// A call that returns says that its arguments are well formed, and nothing about the credentials of the phone.
public final class SimulatedASCredentialDataManager: Sendable {
    private let own: Phone?
    private let app: String

    /// A manager on the phone in use: ``Phone/current``, now or at each call.
    public init() { (own, app) = (Phone.current, Phone.currentApp) }

    /// A manager of an app on a phone.
    public init(phone: Phone, app: String = Phone.defaultApp) { (own, self.app) = (phone, app) }

    /// The relying party accepts exactly these passkeys of a user; the phone removes others.
    ///
    /// - Throws: `ASAuthorizationError` for an app that is not associated with the domain.
    public func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) async throws {
        try await report(
            .allAcceptedCredentials(userID: userHandle.bytes, ids: acceptedCredentialIDs.map(\.bytes)),
            of: relyingPartyIdentifier)
    }

    /// The user's passkeys have a new account name.
    ///
    /// - Throws: `ASAuthorizationError` for an app that is not associated with the domain.
    public func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String, userHandle: Data, newName: String
    ) async throws {
        try await report(
            .currentUserDetails(userID: userHandle.bytes, name: newName, displayName: newName),
            of: relyingPartyIdentifier)
    }

    /// The relying party does not accept a passkey; the phone removes it.
    ///
    /// - Throws: `ASAuthorizationError` for an app that is not associated with the domain.
    public func reportUnknownPublicKeyCredential(relyingPartyIdentifier: String, credentialID: Data) async throws {
        try await report(.unknownCredential(id: credentialID.bytes), of: relyingPartyIdentifier)
    }

    /// The account has no password any more; the phone removes a saved one.
    ///
    /// - Throws: `ASAuthorizationError` for an app that is not associated with the domain.
    public func reportUnusedPasswordCredential(domain: String, userName: String) async throws {
        try associatedPhone(domain).desk.removePassword(of: userName, at: domain)
    }

    private func report(_ signal: PasskeySignal, of relyingPartyID: String) async throws {
        let phone = try associatedPhone(relyingPartyID)
        try await phone.run { [device = phone.device] in await device.take(signal, of: relyingPartyID) }
    }

    private func associatedPhone(_ domain: String) throws -> Phone {
        guard let phone = own ?? Phone.current else { throw ASAuthorizationError.noPhone }
        guard phone.desk.isAssociated(app, with: domain) else {
            throw phone.authorizationError(.notAssociated(app, domain, .get))
        }
        return phone
    }
}

/// The shape of `ASCredentialUpdater`, whose calls `ASCredentialDataManager` has since iOS 26.2.
public typealias SimulatedASCredentialUpdater = SimulatedASCredentialDataManager
