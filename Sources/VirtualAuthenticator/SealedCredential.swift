internal import CBOR
internal import COSE
internal import CTAP
internal import Crypto
internal import Foundation

/// Credentials that are not discoverable live in their IDs: nonce (12) ‖ AES-256-GCM of the key ‖ tag (16), under a
/// key that a reset replaces, with SHA-256 of the RP ID as additional data so that no other relying party's ID opens.
enum SealedCredential {
    static func seal(
        _ privateKey: COSE.PrivateKey, relyingPartyID: String, isBackupEligible: Bool,
        isBackedUp: Bool, under key: [UInt8], nonce: [UInt8]
    ) -> [UInt8]? {
        let content: CBOR.Value = [
            1: .integer(privateKey.algorithm.rawValue), 2: .bytes(privateKey.rawRepresentation),
            3: .bool(isBackupEligible), 4: .bool(isBackedUp),
        ]
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(
                CBOR.encode(content), using: SymmetricKey(data: key), nonce: nonce,
                authenticating: sha256(Array(relyingPartyID.utf8)))
        else { return nil }
        return box.combined.map { Array($0) }
    }

    static func open(_ id: [UInt8], relyingPartyID: String, under key: [UInt8]) -> StoredCredential? {
        guard let box = try? AES.GCM.SealedBox(combined: id),
            let plaintext = try? AES.GCM.open(
                box, using: SymmetricKey(data: key), authenticating: sha256(Array(relyingPartyID.utf8))),
            case .map(let content)? = try? CBOR.decode(Array(plaintext)),
            let algorithm = try? content[1]?.asInteger("alg"), case .bytes(let raw)? = content[2],
            case .bool(let isBackupEligible)? = content[3], case .bool(let isBackedUp)? = content[4],
            let privateKey = try? COSE.PrivateKey(
                algorithm: COSE.Algorithm(rawValue: algorithm), rawRepresentation: raw)
        else { return nil }
        return StoredCredential(
            id: id, relyingPartyID: relyingPartyID, user: PublicKeyCredentialUserEntity(id: []),
            isDiscoverable: false, creationOrder: 0, signCount: 0, isBackupEligible: isBackupEligible,
            isBackedUp: isBackedUp, privateKey: privateKey)
    }
}
