internal import WebAuthn

/// Bytes in the words of a program: what Node, Python and browsers print for a buffer.
package enum PrintedBytes {
    /// The bytes between `<` and `>` of `ArrayBuffer { [Uint8Contents]: <a1 03 08>, byteLength: 3 }`; nil for another text.
    package static func ofArrayBuffer(_ text: Substring) -> [UInt8]? {
        guard text.contains("[Uint8Contents]"), let start = text.lastIndex(of: "<"), let end = text.lastIndex(of: ">"),
            start < end
        else { return nil }
        return Hex.decode(text[text.index(after: start)..<end].filter { !$0.isWhitespace })
    }

    /// The bytes of `b'\xa1\x03'`, as Python prints them; nil for another text.
    package static func ofPython(_ text: Substring) -> [UInt8]? {
        guard text.utf8.count >= 3, let quote = text.last, "'\"".contains(quote), text.hasPrefix("b\(quote)") else {
            return nil
        }
        return try? EscapedBytes.decode(String(text.dropFirst(2).dropLast()))
    }

    /// The base64 of `data:application/octet-stream;base64,oQMI` (RFC 2397); nil for another text.
    package static func base64(ofDataURL text: Substring) -> Substring? {
        guard text.hasPrefix("data:"), let mark = text.firstRange(of: ";base64,") else { return nil }
        return text[mark.upperBound...]
    }
}
