internal import CBOR
internal import CTAP
internal import Crypto
internal import Foundation

/// A phone's information for the other end, which can then reach the phone without a QR code (CTAP 2.3 §11.5).
///
/// | key | value |
/// |---|---|
/// | 1 | contact ID, by which the tunnel service finds the phone |
/// | 2 | link ID, 8 bytes |
/// | 3 | link secret, 32 bytes |
/// | 4 | the phone's public key, uncompressed X9.62, 65 bytes |
/// | 5 | the phone's name |
/// | 6 | signature, 32 bytes: HMAC-SHA-256 of the handshake hash, with the keys' shared secret |
///
/// Unknown keys, such as 999 of Android, are ignored.
package struct LinkingInformation: Hashable, Sendable {
    package static let linkIDLength = 8
    package static let linkSecretLength = KeyPurpose.linkSecret.length

    package var contactID: [UInt8]
    package var linkID: [UInt8]
    package var linkSecret: [UInt8]
    package var publicKey: HybridPublicKey
    package var name: String
    package var signature: [UInt8]

    package init(
        contactID: [UInt8], linkID: [UInt8], linkSecret: [UInt8], publicKey: HybridPublicKey, name: String,
        signature: [UInt8]
    ) {
        self.contactID = contactID
        self.linkID = linkID
        self.linkSecret = linkSecret
        self.publicKey = publicKey
        self.name = name
        self.signature = signature
    }

    var value: CBOR.Value {
        [
            1: .bytes(contactID), 2: .bytes(linkID), 3: .bytes(linkSecret), 4: .bytes(publicKey.uncompressed),
            5: .text(name), 6: .bytes(signature),
        ]
    }

    init(_ value: CBOR.Value) throws(LinkingError) {
        guard case .map(let map) = value else { throw .notAMap }
        func bytes(_ key: Int) throws(LinkingError) -> [UInt8] {
            guard case .bytes(let bytes)? = map[.integer(key)] else { throw .member(key) }
            return bytes
        }
        contactID = try bytes(1)
        linkID = try bytes(2)
        linkSecret = try bytes(3)
        guard let key = HybridPublicKey(uncompressed: try bytes(4)) else { throw .publicKey }
        publicKey = key
        guard case .text(let text)? = map[.integer(5)] else { throw .member(5) }
        name = text
        signature = try bytes(6)
        guard !contactID.isEmpty else { throw .member(1) }
        guard linkID.count == Self.linkIDLength else { throw .member(2) }
        guard linkSecret.count == Self.linkSecretLength else { throw .member(3) }
    }

    /// The signature over a handshake hash, which both key pairs can compute; nil for an impossible key.
    package static func signature(_ key: HybridKey, _ peer: HybridPublicKey, over handshakeHash: [UInt8]) -> [UInt8]? {
        key.sharedSecret(with: peer).map {
            Array(HMAC<SHA256>.authenticationCode(for: handshakeHash, using: SymmetricKey(data: $0)))
        }
    }

    /// Checks the signature with the key of the QR code.
    ///
    /// - Throws: ``LinkingError/signature``.
    package func verify(with key: HybridKey, handshakeHash: [UInt8]) throws(LinkingError) {
        guard let expected = Self.signature(key, publicKey, over: handshakeHash),
            constantTimeEqual(expected, signature)
        else { throw .signature }
    }
}

/// The reason for refusing linking information.
package enum LinkingError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed
    case notAMap
    case member(Int)
    case publicKey
    case signature
    /// Only a connection by QR code can prove the information.
    case notByQRCode

    package var description: String {
        switch self {
        case .malformed: "The update is not a CBOR map. Send a map with the linking information under key 1."
        case .notAMap: "The linking information is not a map. Send a map with the keys 1 to 6."
        case .member(let key):
            "Key \(key) of the linking information is missing or malformed. Send all keys from 1 to 6."
        case .publicKey: "The phone's key (key 4) is not a point on P-256. Send its uncompressed form."
        case .signature:
            "The signature (key 6) does not match the handshake. Sign the handshake hash of this connection."
        case .notByQRCode:
            "The connection was not made by QR code, so its linking information has no proof. Scan a code."
        }
    }
}

/// A linked phone, as the other end keeps it.
package struct LinkedPhone: Hashable, Sendable {
    package var domain: TunnelDomain
    package var contactID: [UInt8]
    package var linkID: [UInt8]
    package var linkSecret: [UInt8]
    /// The phone's key, by which a link is found again.
    package var publicKey: HybridPublicKey
    package var name: String

    package init(
        domain: TunnelDomain, contactID: [UInt8], linkID: [UInt8], linkSecret: [UInt8], publicKey: HybridPublicKey,
        name: String
    ) {
        self.domain = domain
        self.contactID = contactID
        self.linkID = linkID
        self.linkSecret = linkSecret
        self.publicKey = publicKey
        self.name = name
    }

    package init(_ information: LinkingInformation, domain: TunnelDomain) {
        self.domain = domain
        contactID = information.contactID
        linkID = information.linkID
        linkSecret = information.linkSecret
        publicKey = information.publicKey
        name = information.name
    }
}
