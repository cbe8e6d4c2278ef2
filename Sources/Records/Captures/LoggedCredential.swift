internal import Documents
internal import WebAuthn

/// A credential as a program logged it, in the form of `PublicKeyCredential.toJSON()`.
struct LoggedCredential {
    let json: JSONValue
    let isRegistration: Bool

    /// The members that are bytes, in the credential and in its response.
    private static let outer = [
        ["prf", "results", "first"], ["prf", "results", "second"], ["largeBlob", "blob"], ["getCredBlob"],
    ]
    private static let inner = [
        "clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle", "publicKey",
    ]

    /// Reads a credential whose bytes may have other forms, and which may lack members with one possible value.
    init(_ credential: CaptureMember) throws(CaptureError) {
        guard case .object(var members)? = credential.value else { throw credential.wrong("is not an object") }
        // Some apps log the members of the response beside those of the credential.
        let isFlat = credential["response"].isAbsent && !credential["clientDataJSON"].isAbsent
        let response = isFlat ? credential : credential["response"]
        (members["id"], members["rawId"]) = try Self.identifiers(credential)
        members["type"] = try Self.value(credential["type"], default: "public-key", "public-key")
        members["clientExtensionResults"] = try Self.value(credential["clientExtensionResults"], default: [:], "empty")
        for path in Self.outer {
            let member = path.reduce(credential["clientExtensionResults"]) { $0[$1] }
            guard let bytes = try member.pasted() else { continue }
            members["clientExtensionResults"]?.set(path, Base64URL.encode(bytes.bytes))
        }
        guard !response.isAbsent else { throw response.wrong("is missing") }
        guard var parts = response.value?.object else { throw response.wrong("is not an object") }
        for name in Self.inner {
            let member = response[name]
            if name == "clientDataJSON", let text = member.value?.text, text.drop(while: \.isWhitespace).first == "{" {
                parts[name] = .text(Base64URL.encode(Array(text.utf8)))
                member.notes.add(.plain, member.path)
            } else {
                parts[name] = try member.pasted().map { .text(Base64URL.encode($0.bytes)) }
            }
        }
        let bytes = Self.inner.map { response[$0] } + [credential["rawId"]]
        if bytes.contains(where: { $0.isRead(as: .hex) }) { bytes.forEach { $0.noteDoubt() } }
        isRegistration = parts["attestationObject"] != nil
        if parts["userHandle"] == "" {
            parts["userHandle"] = nil
            response.notes.add("`\(response["userHandle"].path)` is empty, and is taken as absent")
        }
        if !isRegistration, parts["userHandle"] == nil {
            response.notes.add(
                "the response has no user handle, which is allowed where the request lists credentials "
                    + "(WebAuthn L3 §5.2.2)")
        }
        members["response"] = .object(parts)
        json = .object(members)
    }

    /// `id` and `rawId`; one of them may be missing.
    private static func identifiers(_ credential: CaptureMember) throws(CaptureError) -> (JSONValue, JSONValue) {
        let (id, rawID) = (credential["id"], credential["rawId"])
        let text = id.value?.text
        // A logger that writes buffers writes both of them so.
        if text == nil, !id.isAbsent, !rawID.isAbsent, let bytes = try id.pasted(), let raw = try rawID.pasted() {
            return (.text(Base64URL.encode(bytes.bytes)), .text(Base64URL.encode(raw.bytes)))
        }
        guard let bytes = try (rawID.isAbsent ? id : rawID).pasted() else { throw id.wrong("is missing") }
        let encoded = JSONValue.text(Base64URL.encode(bytes.bytes))
        for member in [id, rawID] where member.isAbsent {
            member.notes.add("`\(member.path)` is missing; it is taken from `\((rawID.isAbsent ? id : rawID).path)`")
        }
        // An ID in the same other form as rawId comes from the same logger; alone in it, the client has sent it so.
        let isLogged =
            rawID.isAbsent || bytes.form != nil && text.flatMap { try? PastedBytes(text: $0) }?.bytes == bytes.bytes
        return (isLogged ? encoded : text.map { .text($0) } ?? encoded, encoded)
    }

    /// A member's value, or the only one that it can have.
    private static func value(
        _ member: CaptureMember, default value: JSONValue, _ words: String
    ) throws(CaptureError) -> JSONValue {
        guard member.isAbsent else { return member.value ?? value }
        member.notes.add("`\(member.path)` is missing; it is taken as \(words)")
        return value
    }
}

extension JSONValue {
    /// Replaces the value at a path of members that exist.
    fileprivate mutating func set(_ path: [String], _ text: String) {
        guard let name = path.first, case .object(var members) = self, var inner = members[name] else {
            self = .text(text)
            return
        }
        inner.set(Array(path.dropFirst()), text)
        members[name] = inner
        self = .object(members)
    }
}
