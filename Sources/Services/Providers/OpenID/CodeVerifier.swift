internal import Crypto
internal import WebAuthn

/// Proof keys of authorization codes (RFC 7636).
package enum CodeVerifier {
    /// The challenge of a verifier by the method S256.
    package static func challenge(of verifier: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
    }

    /// Whether a text has a verifier's form: 43 to 128 unreserved characters (RFC 7636 §4.1).
    static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.allSatisfy { isBase64URL($0) || $0 == "." || $0 == "~" }
    }

    static func isBase64URL(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
    }
}
