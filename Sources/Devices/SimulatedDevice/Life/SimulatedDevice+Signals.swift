internal import CTAP
internal import VirtualAuthenticator

/// A relying party's news about its passkeys, which a page passes to the provider (WebAuthn L3 §5.1.10).
package enum PasskeySignal: Hashable, Sendable {
    /// signalUnknownCredential: the relying party has no such credential.
    case unknownCredential(id: [UInt8])
    /// signalAllAcceptedCredentials: the user has exactly these credentials.
    case allAcceptedCredentials(userID: [UInt8], ids: [[UInt8]])
    /// signalCurrentUserDetails: the user has these names.
    case currentUserDetails(userID: [UInt8], name: String, displayName: String)
}

extension SimulatedDevice {
    /// Takes a signal about passkeys of a relying party; passkeys that it does not concern stay as they are.
    ///
    /// The page learns nothing about the passkeys (WebAuthn L3 §14.6.3), so the call never fails.
    package func take(_ signal: PasskeySignal, of relyingPartyID: String) async {
        for credential in await passkeys(PasskeyFilter(relyingPartyID: relyingPartyID)) {
            switch signal {
            case .unknownCredential(let id) where id == credential.id: await dropPasskey(credential)
            case .allAcceptedCredentials(credential.user.id, let ids) where !ids.contains(credential.id):
                await dropPasskey(credential)
            case .currentUserDetails(credential.user.id, let name, let displayName):
                let user = PublicKeyCredentialUserEntity(id: credential.user.id, name: name, displayName: displayName)
                await authenticator.renameUser(of: credential.id, to: user)
                life.note(
                    DeviceEvent(
                        .passkeyRename, "the passkey for \(relyingPartyID) is renamed \(name), as the page signals"))
            case .unknownCredential, .allAcceptedCredentials, .currentUserDetails: break
            }
        }
    }

    private func dropPasskey(_ credential: StoredCredential) async {
        await authenticator.removeCredential(credential.id)
        life.note(
            DeviceEvent(.passkeyDelete, "the passkey for \(credential.relyingPartyID) is deleted, as the page signals"))
    }
}
