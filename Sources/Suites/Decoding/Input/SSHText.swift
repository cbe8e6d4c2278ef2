internal import Foundation
internal import WebAuthn

/// The texts in which OpenSSH writes public keys and signatures.
enum SSHText {
    /// The bytes of `sk-ssh-ed25519@openssh.com AAAA… comment`, or of an armored signature; nil for other texts.
    static func bytes(_ text: Substring) -> [UInt8]? {
        let (begin, end) = ("-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----")
        if text.hasPrefix(begin), text.hasSuffix(end) {
            let body = text.dropFirst(begin.count).dropLast(end.count)
            return (try? ByteText(String(body)))?.bytes
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let place = words.firstIndex(where: { $0.hasPrefix("sk-") && $0.hasSuffix("@openssh.com") }),
            words.count > place + 1, !text.contains(where: \.isNewline)
        else { return nil }
        return (try? ByteText(String(words[place + 1])))?.bytes
    }
}
