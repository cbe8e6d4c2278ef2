public import Foundation
internal import PlatformErrors
internal import SimulatedDevice

#if canImport(AuthenticationServices)
internal import AuthenticationServices
#endif

/// The shape of `ASCredentialDataManager` (iOS 26.2), and of `ASCredentialUpdater` (iOS 26.0): an app's reports about
/// its users' credentials.
///
/// It follows Apple's document: <https://developer.apple.com/documentation/authenticationservices/ascredentialdatamanager>.
/// A call also returns without an error if the phone does not have the credentials.
public final class SimulatedASCredentialDataManager: Sendable {
    private let own: Phone?
    private let app: String

    /// A manager on the phone in use: ``Phone/current`` at its creation, or else at each call.
    public init() { (own, app) = (Phone.current, Phone.currentApp) }

    /// A manager of an app on a phone.
    public init(phone: Phone, app: String = Phone.defaultApp) { (own, self.app) = (phone, app) }

    /// Reports all passkeys of a user that the relying party accepts; the phone removes the user's other ones.
    ///
    /// - Throws: `ASAuthorizationError` for an app that is not associated with the domain.
    public func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) async throws {
        try await report(
            .allAcceptedCredentials(userID: userHandle.bytes, ids: acceptedCredentialIDs.map(\.bytes)),
            of: relyingPartyIdentifier)
    }

    /// Reports a new account name for the user's passkeys.
    ///
    /// - Throws: `ASAuthorizationError` for an app that is not associated with the domain.
    public func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String, userHandle: Data, newName: String
    ) async throws {
        try await report(
            .currentUserDetails(userID: userHandle.bytes, name: newName, displayName: newName),
            of: relyingPartyIdentifier)
    }

    /// Reports a passkey that the relying party does not accept; the phone removes it.
    ///
    /// - Throws: `ASAuthorizationError` for an app that is not associated with the domain.
    public func reportUnknownPublicKeyCredential(relyingPartyIdentifier: String, credentialID: Data) async throws {
        try await report(.unknownCredential(id: credentialID.bytes), of: relyingPartyIdentifier)
    }

    /// Reports an account that no longer has a password; the phone removes the saved one.
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
        guard let phone = own ?? Phone.current else {
            Phone.reportMissingPhone("ASCredentialDataManager")
            throw ASAuthorizationError.noPhone
        }
        guard phone.desk.isAssociated(app, with: domain) else {
            throw phone.authorizationError(.notAssociated(app, domain, .get))
        }
        return phone
    }
}

/// The shape of `ASCredentialUpdater`, whose calls `ASCredentialDataManager` has since iOS 26.2.
public typealias SimulatedASCredentialUpdater = SimulatedASCredentialDataManager
