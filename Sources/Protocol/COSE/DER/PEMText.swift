package import SwiftASN1

/// Documents in PEM (RFC 7468) as people paste them.
package enum PEMText {
    /// The documents of a text; lines of any length, one line, and line breaks as `\n` of a setting are read alike.
    ///
    /// - Throws: `ASN1Error` for marks without their counterpart, and for content other than base64.
    package static func documents(in text: String) throws -> [PEMDocument] {
        var documents: [PEMDocument] = []
        var rest = text.replacing("\\r", with: "").replacing("\\n", with: "\n")[...]
        while let begin = rest.firstRange(of: "-----BEGIN ") {
            rest = rest[begin.lowerBound...]
            let label = rest[begin.upperBound...].prefix { $0 != "-" }
            let (start, end) = ("-----BEGIN \(label)-----", "-----END \(label)-----")
            guard rest.hasPrefix(start), let close = rest.firstRange(of: end) else {
                // The library names the mistake.
                documents.append(try PEMDocument(pemString: String(rest)))
                break
            }
            let letters = rest[..<close.lowerBound].dropFirst(start.count).filter { !$0.isWhitespace }
            documents.append(try PEMDocument(pemString: "\(start)\n\(wrapped(letters))\(end)"))
            rest = rest[close.upperBound...]
        }
        return documents
    }

    /// Lines of 64 characters.
    private static func wrapped(_ letters: String) -> String {
        var (lines, rest) = ("", letters[...])
        while !rest.isEmpty {
            lines += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return lines
    }
}
