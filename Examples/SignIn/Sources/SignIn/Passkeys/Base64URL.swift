import Foundation

extension Data {
    /// Decodes base64url without padding, as in the server's JSON (RFC 4648 §5); nil for an invalid text.
    init?(base64URL text: String) {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
        self.init(base64Encoded: standard + padding)
    }
}
