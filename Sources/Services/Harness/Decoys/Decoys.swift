internal import COSE
internal import Crypto
internal import Foundation
internal import RelyingParty
internal import WebAuthn

/// Decoy passkeys for unknown user names, so that a client cannot learn which names exist (WebAuthn L3 §14.6.2).
///
/// Decoys are derived from the name and a secret, so that they stay the same across requests and restarts. They have
/// keys and flags, so that a forged assertion fails the same steps as for a real passkey.
struct Decoys: Sendable {
    private let secret: SymmetricKey

    init(secret: [UInt8]) {
        self.secret = SymmetricKey(data: secret)
    }

    /// The user handle of an unknown name.
    func handle(for username: String) -> [UInt8] {
        derive("handle", username, 32)
    }

    /// The entries of the allow list.
    func descriptors(for username: String) -> [CredentialDescriptor] {
        let shape = shape(for: username)
        return [CredentialDescriptor(id: derive("id", username, shape.idLength), transports: shape.transports)]
    }

    /// The record of a decoy, owned by the user with this handle; nil for any other credential ID.
    func record(
        _ id: [UInt8], for username: String, userHandle: [UInt8], relyingPartyID: String
    ) throws -> CredentialRecord? {
        guard descriptors(for: username).contains(where: { $0.id.bytes == id }) else { return nil }
        var attempt = 0
        let key = try COSE.PrivateKey.generate(.es256) { count in
            attempt += 1
            return derive("key \(attempt)", username, count)
        }
        let shape = shape(for: username)
        return CredentialRecord(
            id: id, publicKey: key.publicKey.encoded, signCount: 0, uvInitialized: true, transports: shape.transports,
            backupEligible: shape.isSynced, backupState: shape.isSynced, aaguid: .zero, userHandle: userHandle,
            relyingPartyID: relyingPartyID)
    }

    /// The common kinds of passkey: synced, platform-bound, and on a security key.
    private func shape(for username: String) -> (idLength: Int, transports: [AuthenticatorTransport], isSynced: Bool) {
        let shapes: [(Int, [AuthenticatorTransport], Bool)] = [
            (20, [.hybrid, .internal], true), (32, [.internal], false), (64, [.nfc, .usb], false),
            (16, [.hybrid, .internal], true),
        ]
        return shapes[Int(derive("shape", username, 1)[0]) % shapes.count]
    }

    private func derive(_ use: String, _ username: String, _ count: Int) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Array("touchstone decoy \(use)\0\(username.lowercased())".utf8),
            outputByteCount: count)
        return key.withUnsafeBytes { Array($0) }
    }
}
