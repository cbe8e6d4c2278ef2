internal import CBOR
internal import COSE
internal import CTAP
internal import Crypto
internal import Trace
internal import WebAuthn

/// Single values that developers have at hand: points, AAGUIDs, U2F responses, large blobs and extension inputs.
extension Reading {
    /// An uncompressed or compressed point on P-256, P-384 or P-521 (SEC 1 §2.3.3).
    static func point(_ bytes: [UInt8]) -> Reading? {
        let curves: [(name: String, size: Int)] = [("P-256", 32), ("P-384", 48), ("P-521", 66)]
        guard let form = bytes.first, [2, 3, 4].contains(form),
            let curve = curves.first(where: { bytes.count == 1 + $0.size * (form == 4 ? 2 : 1) })
        else { return nil }
        var part = DecodedPart(title: "point on \(curve.name)", length: bytes.count)
        let x = bytes[1...curve.size]
        part.fields = [.text("form", form == 4 ? "uncompressed" : "compressed"), .bytes("x", x)]
        if form == 4 { part.fields.append(.bytes("y", bytes.dropFirst(1 + curve.size))) }
        let isOnCurve =
            switch (curve.size, form) {
            case (32, 4): (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil
            case (32, _): (try? P256.Signing.PublicKey(compressedRepresentation: bytes)) != nil
            case (48, 4): (try? P384.Signing.PublicKey(x963Representation: bytes)) != nil
            case (48, _): (try? P384.Signing.PublicKey(compressedRepresentation: bytes)) != nil
            case (_, 4): (try? P521.Signing.PublicKey(x963Representation: bytes)) != nil
            default: (try? P521.Signing.PublicKey(compressedRepresentation: bytes)) != nil
            }
        if !isOnCurve { part.problems.append(DecodingProblem("it is not on the curve", "SEC 1 §3.2.2.1")) }
        return Reading(.point, match: isOnCurve ? .whole : form == 4 ? .beginning : .forced, [part])
    }

    /// Sixteen bytes that name a known model.
    static func aaguid(_ bytes: [UInt8]) -> Reading? {
        guard let aaguid = AAGUID(bytes: bytes) else { return nil }
        let part = DecodedPart(title: "AAGUID", length: 16, fields: [.bytes("aaguid", bytes)])
        return Reading(.aaguid, match: ModelNames.name(aaguid) == nil ? .forced : .whole, [part])
    }

    /// The response to a U2F registration or authentication, without its status word.
    static func u2f(_ bytes: [UInt8]) -> Reading? {
        let isRegistration = bytes.starts(with: [5, 4])
        guard isRegistration ? bytes.count > 67 : bytes.count > 7 && bytes[0] <= 1 && bytes[5] == 0x30 else {
            return nil
        }
        let instruction = isRegistration ? U2FInstruction.register : .authenticate
        let request = CommandAPDU(class: 0, instruction: instruction.rawValue).encoded
        var part = CardExchange.u2f(bytes + StatusWord.noError.bytes, request: request)
        part = DecodedPart(
            title: "response to U2F_\("\(instruction)".uppercased()), without its status word", length: bytes.count,
            fields: part.fields, problems: part.problems)
        let signature = part.fields.first { $0.name == "signature" }?.value.flatMap { Hex.decode($0) } ?? []
        let isSigned = Reading.signature(signature) != nil
        if !isSigned, part.problems.isEmpty {
            part.problems.append(
                DecodingProblem(
                    "the signature is not an ECDSA signature in DER", "FIDO U2F Raw Message Formats 1.2 §4.3"))
        }
        let match: Match = isSigned ? .whole : isRegistration ? .beginning : .forced
        return Reading(.u2f, match: match, [part])
    }

    /// The serialized large-blob array (CTAP 2.3 §6.10.1).
    static func largeBlobs(_ bytes: [UInt8]) -> Reading? {
        let clause = "CTAP 2.3 §6.10.1"
        guard bytes.count > 16, let (item, end) = try? CBOR.decodePrefix(bytes, from: 0, options: .lenient),
            case .array(let entries) = item, bytes.count - end == 16
        else { return nil }
        var part = DecodedPart(title: "large-blob array", length: bytes.count)
        part.title += entries.count == 1 ? " of 1 entry" : " of \(entries.count) entries"
        let members = ["ciphertext", "nonce", "origSize"]
        for (place, entry) in entries.enumerated() {
            guard case .map(let map) = entry else {
                part.problems.append(DecodingProblem("entry \(place + 1) is not a map", "CTAP 2.3 §6.10.3"))
                continue
            }
            for (key, name) in members.enumerated() {
                switch map[.integer(key + 1)] {
                case .bytes(let bytes)? where key < 2: part.fields.append(.bytes("\(name) \(place + 1)", bytes))
                case .unsigned(let size)? where key == 2:
                    part.fields.append(.integer("\(name) \(place + 1)", Int(clamping: size)))
                case nil:
                    part.problems.append(
                        DecodingProblem("entry \(place + 1) lacks \(name) (0x0\(key + 1))", "CTAP 2.3 §6.10.3"))
                default:
                    part.problems.append(
                        DecodingProblem("\(name) of entry \(place + 1) has another type", "CTAP 2.3 §6.10.3"))
                }
            }
        }
        let hash = Array(SHA256.hash(data: bytes[..<end]).prefix(16))
        part.fields.append(.bytes("hash", bytes.suffix(16)))
        let isIntact = Array(bytes.suffix(16)) == hash
        if !isIntact {
            part.problems.append(
                DecodingProblem("the last 16 bytes are not the beginning of the array's SHA-256 hash", clause))
        }
        return Reading(.largeBlobs, match: isIntact ? .whole : entries.isEmpty ? .forced : .beginning, [part])
    }

    /// The input of hmac-secret (CTAP 2.3 §12.7).
    static func hmacSecret(_ bytes: [UInt8]) -> Reading? {
        guard let map = map(bytes), case .map? = map[1], case .bytes(let salt)? = map[2], case .bytes? = map[3],
            map.keys.allSatisfy({ key in (1...4).contains { key == .integer($0) } })
        else { return nil }
        var part = DecodedPart(
            title: "input of hmac-secret", length: bytes.count, fields: ResponseDecoder.hmacSecretInput(map),
            problems: [canonicalProblem(bytes, .ctap2)].compactMap(\.self))
        if ![32, 48, 64, 80].contains(salt.count) {
            part.problems.append(
                DecodingProblem("saltEnc has \(salt.count) bytes, not 32, 48, 64 or 80", "CTAP 2.3 §12.7"))
        }
        return Reading(.hmacSecret, [part])
    }
}
