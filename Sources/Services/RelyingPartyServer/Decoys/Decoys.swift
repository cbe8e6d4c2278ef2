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

    init(secret: [UInt8]) { self.secret = SymmetricKey(data: secret) }

    func handle(for username: String) -> [UInt8] { derive("handle", username, 32) }

    /// The entries of the allow list.
    func descriptors(for username: String) -> [CredentialDescriptor] {
        decoys(for: username).map { CredentialDescriptor(id: $0.id, transports: $0.kind.transports) }
    }

    /// The record of a decoy, owned by the user with this handle; nil for any other credential ID.
    func record(
        _ id: [UInt8], for username: String, userHandle: [UInt8], relyingPartyID: String
    ) throws -> CredentialRecord? {
        let decoys = decoys(for: username)
        guard let number = decoys.firstIndex(where: { $0.id == id }) else { return nil }
        let kind = decoys[number].kind
        var attempt = 0
        let key = try COSE.PrivateKey.generate(.es256) { count in
            attempt += 1
            return derive("key \(number) \(attempt)", username, count)
        }
        return CredentialRecord(
            id: id, publicKey: key.publicKey.encoded,
            signCount: kind.hasCounter ? 1 + UInt32(derive("counter \(number)", username, 1)[0]) : 0,
            uvInitialized: true, transports: kind.transports, backupEligible: kind.isSynced,
            backupState: kind.isSynced, aaguid: .zero, userHandle: userHandle, relyingPartyID: relyingPartyID)
    }

    private struct Kind {
        let idLength: Int
        let transports: [AuthenticatorTransport]
        var isSynced = false
        var hasCounter = false

        /// Synced, bound to a platform, on a security key.
        static let all = [
            Kind(idLength: 20, transports: [.hybrid, .internal], isSynced: true),
            Kind(idLength: 32, transports: [.internal], hasCounter: true),
            Kind(idLength: 64, transports: [.nfc, .usb], hasCounter: true),
            Kind(idLength: 16, transports: [.hybrid, .internal], isSynced: true),
        ]
    }

    /// One to three passkeys; most accounts have one.
    private func decoys(for username: String) -> [(id: [UInt8], kind: Kind)] {
        let count = [1, 1, 2, 3][Int(derive("number", username, 1)[0]) % 4]
        return (0..<count).map { number in
            let kind = Kind.all[Int(derive("kind \(number)", username, 1)[0]) % Kind.all.count]
            return (derive("id \(number)", username, kind.idLength), kind)
        }
    }

    private func derive(_ use: String, _ username: String, _ count: Int) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Array("touchstone decoy \(use)\0\(username.asciiLowercased)".utf8),
            outputByteCount: count)
        return key.withUnsafeBytes { Array($0) }
    }
}
