internal import CTAP
internal import WebAuthn

/// appid and appidExclude: U2F credentials scoped to an app ID (WebAuthn L3 §10.1.1, §10.1.2).
enum AppIDExtension {
    /// The RP ID for the request: the app ID if the device has an allowed credential under it and none under the RP ID.
    static func relyingPartyID(
        _ relyingPartyID: String, appID: String?, allowed: [CredentialDescriptor], info: AuthenticatorInfo,
        session: Session
    ) async throws(WebAuthnClientError) -> String {
        guard let appID, try await !isKnown(allowed, to: info, under: relyingPartyID, session),
            try await isKnown(allowed, to: info, under: appID, session)
        else { return relyingPartyID }
        return appID
    }

    /// Ends a registration, after a touch, on a device that has an excluded credential under the app ID.
    static func checkExcluded(
        _ excluded: [CredentialDescriptor], appID: String, info: AuthenticatorInfo, session: Session
    ) async throws(WebAuthnClientError) {
        guard try await isKnown(excluded, to: info, under: appID, session) else { return }
        try await session.touch(info)
        throw WebAuthnClientError(.invalidStateError, .appIDExcluded)
    }

    private static func isKnown(
        _ list: [CredentialDescriptor], to info: AuthenticatorInfo, under relyingPartyID: String, _ session: Session
    ) async throws(WebAuthnClientError) -> Bool {
        // Phones are younger than U2F, and a search would be the one command.
        guard !session.takesOneCommand else { return false }
        let list = CredentialList(list, info: info, relyingPartyID: relyingPartyID)
        return try await !list.narrowed(relyingPartyID: relyingPartyID, verification: .none, session: session).isEmpty
    }
}
