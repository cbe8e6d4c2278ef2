internal import CBOR
internal import Trace
internal import WebAuthn

/// Credentials as the programs of libfido2 and pam-u2f write them, in lines of base64.
enum ToolOutput {
    struct Credential {
        let program: String
        /// Whether the program reads it; otherwise the program wrote it.
        var isInput = false
        let parts: [DecodedPart]
    }

    /// Nil for another text.
    static func credential(_ text: String) -> Credential? {
        let lines = text.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
        return libfido2(lines) ?? pamU2F(lines)
    }

    // MARK: libfido2

    /// Reads the files of `fido2-cred` and `fido2-assert`, which begin with the hash of the client data and the relying party.
    private static func libfido2(_ lines: [Substring]) -> Credential? {
        guard lines.count >= 3, let hash = base64(lines[0]), hash.count == 32, base64(lines[1])?.count != 32 else {
            return nil
        }
        var first = DecodedPart(title: "credential", length: hash.count + lines[1].utf8.count)
        first.fields = [.bytes("clientDataHash", hash), .text("rpId", String(lines[1]))]
        let rest = Array(lines.enumerated().dropFirst(2))
        if lines.count >= 4, StatementForm.isKnown(String(lines[2])) {
            first.fields.append(.text("fmt", String(lines[2])))
            return Credential(
                program: "fido2-cred -M",
                parts: [first]
                    + parts(
                        rest.dropFirst(),
                        ["authenticatorData", "credentialId", "signature", "certificate", "largeBlobKey"]))
        }
        let data = base64(lines[2].filter(isBase64)) ?? []
        if lines.count >= 4, Reading.authenticatorData(wrapped: data) != nil, base64(lines[3])?.count != 32 {
            return Credential(program: "fido2-assert -G", parts: assertions(Array(lines.enumerated()), after: first))
        }
        if data.count >= 16, lines.count <= 4 {
            return Credential(
                program: "fido2-assert -G", isInput: true, parts: [first] + parts(rest, ["credentialId", "hmacSalt"]))
        }
        guard lines.count == 4, let id = base64(lines[3]) else { return nil }
        first.fields += [.text("userName", String(lines[2])), .bytes("userId", id)]
        return Credential(program: "fido2-cred -M", isInput: true, parts: [first])
    }

    private typealias Line = (offset: Int, element: Substring)

    /// The assertions of `fido2-assert -r`, each of which begins with the same two lines.
    private static func assertions(_ lines: [Line], after head: DecodedPart) -> [DecodedPart] {
        let starts = lines.indices.filter { index in
            index + 1 < lines.count && lines[index].element == lines[0].element
                && lines[index + 1].element == lines[1].element
        }
        return zip(starts, starts.dropFirst() + [lines.count]).flatMap { start, end -> [DecodedPart] in
            let own = Array(lines[start..<end].dropFirst(2))
            return [head] + parts(own, ["authenticatorData", "signature"] + optionalNames(own))
        }
    }

    /// The names of the lines after the signature: the user ID with -r, the output of hmac-secret and the largeBlobKey.
    private static func optionalNames(_ lines: [Line]) -> [String] {
        let rest = lines.dropFirst(2).map { base64($0.element)?.count ?? 0 }
        let hasSecret = lines.first.flatMap { base64($0.element) }.map(hasHMACSecret) ?? false
        switch rest.count - (hasSecret ? 1 : 0) {
        case ...0: return ["hmacSecret"]
        case 1 where hasSecret:
            return [32, 64].contains(rest[0]) ? ["hmacSecret", "largeBlobKey"] : ["userHandle", "hmacSecret"]
        case 1: return [rest[0] == 32 ? "userHandle or largeBlobKey" : "userHandle"]
        default: return ["userHandle"] + (hasSecret ? ["hmacSecret"] : []) + ["largeBlobKey"]
        }
    }

    /// Whether wrapped authenticator data has an output of hmac-secret.
    private static func hasHMACSecret(_ bytes: [UInt8]) -> Bool {
        let inner = if case .bytes(let inner)? = try? CBOR.decode(bytes, options: .lenient) { inner } else { bytes }
        guard let extensions = try? AuthenticatorData(parsing: inner).extensions else { return false }
        return extensions["hmac-secret"] != nil
    }

    /// The parts in lines of base64, each with the name of its place.
    private static func parts(_ lines: some Sequence<(offset: Int, element: Substring)>, _ names: [String])
        -> [DecodedPart]
    {
        zip(lines, names).flatMap { line, name -> [DecodedPart] in
            guard let bytes = base64(line.element) else {
                let wrong = line.element.first { !isBase64($0) }
                let reason = wrong.map { "it has “\($0)”" } ?? "its length is that of no whole text"
                return [
                    DecodedPart(
                        title: name, length: 0, line: line.offset + 1,
                        problems: [.damage("line \(line.offset + 1) is not base64: \(reason); copy the whole line")])
                ]
            }
            return parts(bytes, name)
        }
    }

    private static func isBase64(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+/=-_".contains(character))
    }

    // MARK: pam-u2f

    /// Reads a file of pamu2fcfg.
    ///
    /// A line is `user:keyHandle,publicKey,es256,+presence`, with more credentials behind further colons.
    private static func pamU2F(_ lines: [Substring]) -> Credential? {
        var parts: [DecodedPart] = []
        for line in lines {
            let items = line.split(separator: ":", omittingEmptySubsequences: false)
            guard items.count > 1 else { return nil }
            for item in items.dropFirst() {
                let members = item.split(separator: ",", omittingEmptySubsequences: false)
                guard members.count >= 3, ["es256", "eddsa", "rs256"].contains(members[2]),
                    let id = members[0] == "*" ? [] : base64(members[0]), let key = base64(members[1])
                else { return nil }
                var part = DecodedPart(title: "credential", length: id.count + key.count)
                part.fields = [
                    .text("user", String(items[0])), .bytes("credentialId", id), .bytes("publicKey", key),
                    .text("type", String(members[2])),
                ]
                part.fields += members.dropFirst(3).map { .text("option", String($0)) }
                if members[2] == "es256", key.count != 64 {
                    part.problems.append(
                        DecodingProblem("the key has \(key.count) bytes, not the 64 of x and y", "pam_u2f(8)"))
                }
                parts.append(part)
            }
        }
        return parts.isEmpty ? nil : Credential(program: "pamu2fcfg", parts: parts)
    }

    // MARK: Both

    private static func base64(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.isEmpty, !text.contains(where: \.isWhitespace) else { return nil }
        let plain = String(text).replacing("+", with: "-").replacing("/", with: "_")
        return Base64URL.decode(String(plain.prefix { $0 != "=" }))
    }

    private static func parts(_ bytes: [UInt8], _ name: String) -> [DecodedPart] {
        let reading =
            switch name {
            case "authenticatorData": Reading.authenticatorData(wrapped: bytes)
            case "signature": Reading.signature(bytes)
            case "certificate": Reading.certificate(bytes)
            default: nil as Reading?
            }
        if let reading { return reading.parts }
        var field = TraceField.bytes("bytes", bytes)
        if name == "hmacSecret" || name.hasSuffix("largeBlobKey") { field.secret = .declared }
        return [DecodedPart(title: name, length: bytes.count, fields: [field])]
    }
}
