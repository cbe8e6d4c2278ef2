internal import CBOR
internal import COSE
internal import CTAP
internal import Trace

/// Structures in CBOR.
extension Reading {
    /// The first byte of a map or an array of definite length, or of a tag.
    private static func beginsContainer(_ bytes: [UInt8]) -> Bool {
        bytes.first.map { (0x80...0xDB).contains($0) } ?? false
    }

    /// The violated rule of canonical CBOR, with its offset; nil for canonical bytes.
    static func canonicalProblem(_ bytes: [UInt8], _ options: CBOR.DecodingOptions, offset: Int = 0) -> DecodingProblem?
    {
        do {
            _ = try CBOR.decode(bytes, from: offset, options: options)
            return nil
        } catch {
            return ReadingStop.problem(bytes, from: offset, "CTAP 2.3 §8") ?? DecodingProblem("\(error)", "CTAP 2.3 §8")
        }
    }

    static func map(_ bytes: [UInt8]) -> CBOR.Map? {
        guard case .map(let map)? = try? CBOR.decode(bytes, options: .lenient) else { return nil }
        return map
    }

    /// The members of a map before the place where its bytes stop being CBOR; nil when not even one can be read.
    static func readableMembers(_ bytes: [UInt8]) -> CBOR.Map? {
        guard let first = bytes.first, first >> 5 == 5, first & 0x1F < 24 else { return nil }
        var map = CBOR.Map()
        var position = 1
        for _ in 0..<(first & 0x1F) {
            guard let (key, afterKey) = try? CBOR.decodePrefix(bytes, from: position, options: .lenient),
                let (value, end) = try? CBOR.decodePrefix(bytes, from: afterKey, options: .lenient)
            else { break }
            map[key] = value
            position = end
        }
        return map.isEmpty ? nil : map
    }

    static func cbor(_ bytes: [UInt8]) -> Reading? {
        guard beginsContainer(bytes) || bytes.count > 1 else { return nil }
        do {
            let item = try CBOR.decode(bytes, options: .lenient)
            var part = DecodedPart(title: "CBOR", length: bytes.count, fields: [ResponseDecoder.item(item)])
            part.problems = [canonicalProblem(bytes, .attestation)].compactMap(\.self)
            return Reading(.cbor, fits: beginsContainer(bytes), [part])
        } catch {
            guard beginsContainer(bytes) else { return nil }
            let readable = readableMembers(bytes).map { [ResponseDecoder.item(.map($0))] } ?? []
            let part = DecodedPart(
                title: "CBOR", length: bytes.count, fields: readable,
                problems: [ReadingStop.problem(bytes, "RFC 8949 §3")].compactMap(\.self))
            // Any bytes begin with some item; a member of a map tells.
            return Reading(.cbor, match: readable.isEmpty ? .forced : .beginning, [part])
        }
    }

    static func coseKey(_ bytes: [UInt8]) -> Reading? {
        // The key type, and an algorithm or the parameters of the type.
        guard let map = map(bytes), case .unsigned(1...7)? = map[1],
            map.keys.allSatisfy({ (try? $0.asInteger("")) != nil }), map[3] != nil || map[-1] != nil, map[-1] != nil
        else { return nil }
        var part = DecodedPart(title: "COSE key", length: bytes.count, fields: ResponseDecoder.coseKey(.map(map)))
        part.problems = [canonicalProblem(bytes, .attestation)].compactMap(\.self) + keyProblems(.map(map))
        return Reading(.coseKey, [part])
    }

    static func keyProblems(_ key: CBOR.Value) -> [DecodingProblem] {
        if CBOR.Map(key)[3] == .integer(COSE.Algorithm.ecdhESHKDF256.rawValue) { return agreementKeyProblems(key) }
        do {
            _ = try COSE.PublicKey(cbor: key)
            return []
        } catch {
            return [DecodingProblem("the public key: \(error)", "WebAuthn L3 §6.5.1.1")]
        }
    }

    /// The problems of a public key of a key agreement.
    static func agreementKeyProblems(_ key: CBOR.Value) -> [DecodingProblem] {
        KeyAgreementKey.problem(of: key).map {
            [DecodingProblem("the key of the key agreement: \($0)", "CTAP 2.3 §6.5.6")]
        }
            ?? []
    }

    static func getInfo(_ bytes: [UInt8]) -> Reading? {
        let hasStatus = bytes.first == 0
        guard let map = map(hasStatus ? Array(bytes.dropFirst()) : bytes), case .array(let versions)? = map[1],
            !versions.isEmpty, versions.allSatisfy({ (try? $0.asText("")) != nil })
        else { return nil }
        // Versions alone do not distinguish it from other lists.
        guard map[3] != nil || map[4] != nil || versions.contains("FIDO_2_0") || versions.contains("U2F_V2") else {
            return nil
        }
        let whole = hasStatus ? bytes : [0] + bytes
        var part = responsePart(whole, to: .getInfo)
        part.title = "answer to GetInfo" + (hasStatus ? "" : ", without its status byte")
        part.problems += InfoFindings.broken(map)
        return Reading(.getInfo, [part], info: .map(map))
    }
}
