internal import Crypto
internal import Foundation
internal import WebAuthn

/// A client's secret for its session: 32 random bytes in base64url; the server stores only its hash.
struct SessionToken: Sendable {
    let text: String

    /// Reads a token from a client; nil unless it is base64url of 32 bytes.
    init?(_ text: String) {
        guard Base64URL.decode(text)?.count == 32 else { return nil }
        self.text = text
    }

    init(random: (Int) -> [UInt8]) { text = Base64URL.encode(random(32)) }

    /// SHA-256 of the token, so that a stolen database contains no usable tokens.
    var hash: Data { Data(SHA256.hash(data: Array(text.utf8))) }
}
