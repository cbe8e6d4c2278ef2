internal import VirtualAuthenticator
internal import WebAuthn

/// The secret that lets a program drive the devices.
package struct AccessToken: Sendable {
    package let text: String

    /// Creates a token of 32 random bytes, as base64url.
    package init() { text = Base64URL.encode(SystemRandomSource().bytes(32)) }

    /// Takes a chosen token of 16 to 512 letters, digits, `-`, `.`, `_` and `~`; nil for any other text.
    package init?(_ text: String) {
        let isUnreserved = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-._~".utf8.contains(byte)
        }
        guard isUnreserved, (16...512).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}
