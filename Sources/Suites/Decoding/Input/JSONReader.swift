internal import CTAP
internal import Captures
internal import Documents
internal import Trace
internal import WebAuthn

/// Decodes the members of a credential in JSON, as `toJSON()` gives it or a server logs it (WebAuthn L3 §5.1).
enum JSONReader {
    /// The members that have a structure, with the kind of their bytes.
    private static let structured: [String: DecodedKind] = [
        "clientDataJSON": .clientData, "attestationObject": .attestationObject, "authenticatorData": .authenticatorData,
        "authData": .authenticatorData, "publicKey": .publicKey, "signature": .signature,
        "credentialPublicKey": .coseKey,
    ]
    /// The members that are opaque bytes.
    private static let opaque = ["id", "rawId", "credentialId", "userHandle", "challenge"]

    /// Whether a member with a structure is somewhere in a document.
    static func hasStructure(_ value: JSONValue) -> Bool {
        if case .array(let items) = value { return items.contains(where: hasStructure) }
        return (value.object ?? [:]).contains { name, value in
            structured[name] != nil && value != .null || hasStructure(value)
        }
    }

    /// The first element of an array of numbers that is not a byte; nil for another value.
    static func problemOfBytes(_ value: JSONValue) -> String? {
        guard case .array(let items) = value, items.allSatisfy({ $0.integer != nil }),
            let place = items.firstIndex(where: { !(0...255).contains($0.integer ?? 0) })
        else { return nil }
        return "element \(place) of the array is \(items[place].integer ?? 0), and a byte is 0 to 255; correct it"
    }

    /// The parts of a document; none when it has no member of a credential.
    static func parts(_ value: JSONValue, at path: String = "") -> [DecodedPart] {
        if case .array(let items) = value {
            return items.enumerated().flatMap { parts($1, at: "\(path)[\($0)]") }
        }
        guard let members = value.object else { return [] }
        return members.sorted { $0.key < $1.key }.flatMap { name, value -> [DecodedPart] in
            let place = path.isEmpty ? name : "\(path).\(name)"
            // `publicKey` of options is an object.
            let isObject = value.object != nil && bytes(value) == nil
            if let kind = structured[name], value != .null, !isObject { return structure(value, kind, place) }
            // `id` of other objects is a name.
            let isNamed = name != "id" || members["rawId"] != nil || members["type"] == "public-key"
            if opaque.contains(name), isNamed, let part = opaquePart(value, name, place) { return [part] }
            return parts(value, at: place)
        }
    }

    private static func structure(_ value: JSONValue, _ kind: DecodedKind, _ place: String) -> [DecodedPart] {
        let forms = forms(value)
        guard let first = forms.first else {
            let words = "the value is neither base64url nor another form of bytes"
            return [DecodedPart(title: place, length: 0, problems: [DecodingProblem(words, "WebAuthn L3 §5.1")])]
        }
        // A stored key may be COSE instead of SPKI.
        let kinds = kind == .publicKey ? [.publicKey, .coseKey] : [kind]
        let readings = forms.flatMap { text in
            kinds.compactMap { kind in Reading.read(text.bytes, as: kind).map { (text, $0) } }
        }
        guard let (text, reading) = readings.first(where: \.1.fits) ?? readings.first else {
            // Signatures of other algorithms have no structure.
            let problem = DecodingProblem("the bytes are not \(kind.words)")
            return [
                DecodedPart(
                    title: place, length: first.bytes.count, fields: [.bytes("bytes", first.bytes)],
                    problems: (kind == .signature ? [] : [problem]) + form(first))
            ]
        }
        var parts = reading.parts
        parts[0].title = "\(place), \(parts[0].title)"
        parts[0].problems += form(text)
        return parts
    }

    private static func opaquePart(_ value: JSONValue, _ name: String, _ place: String) -> DecodedPart? {
        guard value != .null, let text = forms(value).first else { return nil }
        var part = DecodedPart(
            title: place, length: text.bytes.count, fields: [.bytes("bytes", text.bytes)], problems: form(text))
        let count = text.bytes.count
        if name == "challenge", count < 16 {
            part.problems.append(
                DecodingProblem("it has \(count) bytes; at least 16 are recommended", "WebAuthn L3 §13.4.3"))
        }
        if name == "userHandle", !(1...64).contains(count) {
            part.problems.append(DecodingProblem("a user handle has 1 to 64 bytes, not \(count)", "WebAuthn L3 §5.4.3"))
        }
        if name != "challenge", name != "userHandle", count > 1023 {
            part.problems.append(
                DecodingProblem("a credential ID has at most 1023 bytes, not \(count)", "WebAuthn L3 §6.5.1"))
        }
        return part
    }

    /// WebAuthn's JSON has base64url without padding.
    private static func form(_ text: ByteText) -> [DecodingProblem] {
        text.form == "base64url"
            ? [] : [DecodingProblem("it is \(text.form), not base64url without padding", "WebAuthn L3 §5.1")]
    }

    /// The bytes of a text in base64url, and those that another form of the same text has.
    private static func forms(_ value: JSONValue) -> [ByteText] {
        guard case .text(let text) = value else { return [bytes(value)].compactMap(\.self) }
        let forms = [Base64URL.decode(text).map { ByteText(base64url: $0) }, try? ByteText(text)].compactMap(\.self)
        return forms.count == 2 && forms[0].bytes == forms[1].bytes ? [forms[0]] : forms
    }

    /// The bytes of a text in the forms of ``ByteText``, or of another value in those of ``PastedBytes``.
    static func bytes(_ value: JSONValue) -> ByteText? {
        if case .text(let text) = value { return try? ByteText(text) }
        guard let pasted = try? PastedBytes(value), !pasted.bytes.isEmpty else { return nil }
        return ByteText(pasted)
    }
}
