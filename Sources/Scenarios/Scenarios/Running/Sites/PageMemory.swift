internal import Synchronization
internal import WebAuthn
internal import WebAuthnClient

/// The knowledge of a page about passkeys, which it signals to their provider.
final class PageMemory: Sendable {
    struct User: Sendable {
        let id: [UInt8]
        let name: String
        let relyingPartyID: String
    }

    private struct State {
        var user: User?
        var lastCredentialID: [UInt8]?
    }

    private let state = Mutex(State())

    var user: User? { state.withLock(\.user) }

    /// The credential that signed last.
    var lastCredentialID: [UInt8]? { state.withLock(\.lastCredentialID) }

    /// The page asks for a new passkey.
    func registers(_ options: CreationOptions) {
        guard let relyingPartyID = options.rp.id else { return }
        let user = User(id: options.user.id.bytes, name: options.user.name, relyingPartyID: relyingPartyID)
        state.withLock { $0.user = user }
    }

    /// A passkey signs.
    func presents(_ response: AuthenticationResponse) { state.withLock { $0.lastCredentialID = response.rawId.bytes } }
}
