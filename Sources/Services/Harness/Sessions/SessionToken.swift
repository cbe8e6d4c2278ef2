internal import Crypto
internal import Foundation
internal import WebAuthn

/// The secret a client holds for its session: 32 random bytes, as base64url; the server keeps only their hash.
struct SessionToken: Sendable {
    let text: String

    /// Takes what a client sent; anything but base64url of 32 bytes gives nil.
    init?(_ text: String) {
        guard Base64URL.decode(text)?.count == 32 else { return nil }
        self.text = text
    }

    /// A new token.
    init(random: (Int) -> [UInt8]) {
        text = Base64URL.encode(random(32))
    }

    /// SHA-256 of the token, so that a stolen database signs nobody in.
    var hash: Data { Data(SHA256.hash(data: Array(text.utf8))) }
}
