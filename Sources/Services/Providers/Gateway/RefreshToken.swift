internal import Crypto
internal import Foundation
internal import WebAuthn

/// A refresh token: the session, the number of the refresh that made it, and a proof that the gateway issued it.
///
/// The gateway can make each token again, so it keeps no tokens: the active one of a session is the one with the
/// session's counter.
struct RefreshToken: Sendable {
    let sessionID: String
    let counter: Int64

    /// The length of the proof in bytes.
    private static let proofLength = 16

    func text(secret: [UInt8]) -> String {
        Base64URL.encode(Array("\(sessionID).\(counter)".utf8) + Array(proof(secret).prefix(Self.proofLength)))
    }

    init(sessionID: String, counter: Int64) {
        self.sessionID = sessionID
        self.counter = counter
    }

    /// Reads a token; nil for a text that the gateway did not issue.
    init?(_ text: String, secret: [UInt8]) {
        guard let bytes = Base64URL.decode(text), bytes.count > Self.proofLength else { return nil }
        let parts = String(decoding: bytes.dropLast(Self.proofLength), as: UTF8.self).split(separator: ".")
        guard parts.count == 2, let counter = Int64(parts[1]) else { return nil }
        self.init(sessionID: String(parts[0]), counter: counter)
        // Compared as digests of a keyed hash, which takes the same time for every wrong proof.
        let key = SymmetricKey(data: secret)
        let stated = HMAC<SHA256>.authenticationCode(for: bytes.suffix(Self.proofLength), using: key)
        let expected = HMAC<SHA256>.authenticationCode(for: proof(secret).prefix(Self.proofLength), using: key)
        guard stated == expected else { return nil }
    }

    private func proof(_ secret: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: secret)
        return Array(HMAC<SHA256>.authenticationCode(for: Array("refresh \(sessionID) \(counter)".utf8), using: key))
    }
}
