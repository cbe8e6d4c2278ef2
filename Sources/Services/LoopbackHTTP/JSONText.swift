internal import Foundation

/// The rules for JSON between programs that `JSONDecoder` does not check (RFC 8259 §4, §8.1).
enum JSONText {
    /// Refuses text in another encoding than UTF-8, and an object in which a name occurs twice.
    ///
    /// It says nothing about the rest of the syntax.
    static func check(_ bytes: ArraySlice<UInt8>) throws(APIError) {
        // Text in the other encodings has zero bytes; JSON in UTF-8 has none.
        guard !bytes.contains(0), String(bytes: bytes, encoding: .utf8) != nil else { throw .jsonNotUTF8 }
        // The names of each open object, and nil for an open array.
        var open: [Set<String>?] = []
        var isName = false
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "{"):
                open.append([])
                isName = true
            case UInt8(ascii: "["):
                open.append(nil)
                isName = false
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                isName = false
            case UInt8(ascii: ","): isName = open.last.flatMap { $0 } != nil
            case UInt8(ascii: ":"): isName = false
            case UInt8(ascii: "\""):
                let text = takeString(from: &rest)
                guard isName, let last = open.indices.last else { continue }
                let name = unescaped(text)
                if open[last]?.insert(name).inserted == false { throw .jsonRepeated(name) }
            default: break
            }
        }
    }

    /// Removes a string up to its closing quotation mark; the result has its escapes and no quotation marks.
    private static func takeString(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = rest.startIndex
        let whole = rest
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
        }
        return whole[start..<max(start, rest.startIndex - 1)]
    }

    /// Two spellings of a name are the same name.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
        let plain = String(decoding: text, as: UTF8.self)
        guard text.contains(UInt8(ascii: "\\")) else { return plain }
        return (try? JSONDecoder().decode(String.self, from: Data("\"\(plain)\"".utf8))) ?? plain
    }
}
