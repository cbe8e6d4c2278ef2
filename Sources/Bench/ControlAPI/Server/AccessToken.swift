internal import Crypto
internal import VirtualAuthenticator
internal import WebAuthn

/// The secret that lets a program drive the devices.
package struct AccessToken: Sendable {
    /// What requests carry.
    package let text: String

    /// A new one: 32 random bytes, as base64url.
    package init() {
        text = Base64URL.encode(SystemRandomSource().bytes(32))
    }

    /// A token somebody chose: 16 to 512 letters, digits, `-`, `.`, `_` and `~`; nil for anything else.
    package init?(_ text: String) {
        let isUnreserved = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-._~".utf8.contains(byte)
        }
        guard isUnreserved, (16...512).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// Whether a text is the token, in a time that tells nothing about it.
    func matches(_ candidate: String) -> Bool {
        // Digests are of one length, and swift-crypto compares them in constant time.
        SHA256.hash(data: Array(candidate.utf8)) == SHA256.hash(data: Array(text.utf8))
    }
}
