internal import CBOR
internal import COSE
internal import Crypto
internal import Foundation

/// Non-discoverable credentials are sealed in their IDs: nonce (12) ‖ AES-256-GCM of the key ‖ tag (16), under a
/// key that a reset replaces, with SHA-256 of the RP ID as additional data so that an ID only opens for its relying party.
enum SealedCredential {
    /// Whether an algorithm's private keys fit into an ID; RSA keys exceed every message.
    static func fits(_ algorithm: COSE.Algorithm) -> Bool { algorithm != .rs256 && algorithm != .ps256 }

    static func seal(_ credential: StoredCredential, under key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        seal(credential.sealedContent, under: key, nonce: nonce, authenticating: credential.relyingPartyIDHash)
    }

    static func seal(
        _ content: CBOR.Map, under key: [UInt8], nonce: [UInt8], authenticating scope: [UInt8]
    ) -> [UInt8]? {
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(
                CBOR.encode(.map(content)), using: SymmetricKey(data: key), nonce: nonce, authenticating: scope)
        else { return nil }
        return box.combined.map { Array($0) }
    }

    static func open(_ id: [UInt8], under key: [UInt8], authenticating scope: [UInt8]) -> CBOR.Map? {
        guard let box = try? AES.GCM.SealedBox(combined: id),
            let plaintext = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: scope),
            case .map(let content)? = try? CBOR.decode(Array(plaintext))
        else { return nil }
        return content
    }

    static func open(
        _ id: [UInt8], relyingPartyID: String, relyingPartyIDHash: [UInt8], under key: [UInt8]
    ) -> StoredCredential? {
        open(id, under: key, authenticating: relyingPartyIDHash).flatMap {
            StoredCredential(
                sealedContent: $0, id: id, relyingPartyID: relyingPartyID, relyingPartyIDHash: relyingPartyIDHash)
        }
    }
}
