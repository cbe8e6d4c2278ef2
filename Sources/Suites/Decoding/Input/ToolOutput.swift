internal import Trace
internal import WebAuthn

/// Credentials as the programs of libfido2 and pam-u2f write them, in lines of base64.
enum ToolOutput {
    struct Credential {
        let program: String
        let parts: [DecodedPart]
    }

    /// Nil for another text.
    static func credential(_ text: String) -> Credential? {
        let lines = text.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
        return libfido2(lines) ?? pamU2F(lines)
    }

    // MARK: libfido2

    /// Reads the output of `fido2-cred -M` and `fido2-assert -G`.
    ///
    /// It has the hash of the client data, the relying party, the format, authenticator data, the ID, the signature and perhaps
    /// a certificate, each in a line; that of an assertion lacks format and ID.
    private static func libfido2(_ lines: [Substring]) -> Credential? {
        guard lines.count >= 4, let hash = base64(lines[0]), hash.count == 32 else { return nil }
        let isRegistration = StatementForm.isKnown(String(lines[2]))
        guard lines.count >= (isRegistration ? 6 : 4), let data = base64(lines[isRegistration ? 3 : 2]),
            let reading = Reading.authenticatorData(wrapped: data)
        else { return nil }
        var first = DecodedPart(title: "credential", length: hash.count + lines[1].utf8.count)
        first.fields = [.bytes("clientDataHash", hash), .text("rpId", String(lines[1]))]
        if isRegistration { first.fields.append(.text("fmt", String(lines[2]))) }
        var parts = [first] + reading.parts
        let rest = lines[(isRegistration ? 4 : 3)...]
        let names = isRegistration ? ["credentialId", "signature", "certificate"] : ["signature", "userHandle"]
        for (line, name) in zip(rest, names) {
            guard let bytes = base64(line) else { return nil }
            parts += self.parts(bytes, name)
        }
        return Credential(program: isRegistration ? "fido2-cred -M" : "fido2-assert -G", parts: parts)
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
            case "signature": Reading.signature(bytes)
            case "certificate": Reading.certificate(bytes)
            default: nil as Reading?
            }
        return reading?.parts ?? [DecodedPart(title: name, length: bytes.count, fields: [.bytes("bytes", bytes)])]
    }
}
