internal import CBOR
internal import COSE
internal import CTAP
internal import WebAuthn

/// An answer to getInfo in the words of `fido2-token -I`, the program of libfido2.
enum TokenListing {
    /// The kind of a line's value.
    private enum Form {
        case texts, numbers, number, flag, options, algorithms, bytes
    }

    /// The lines for the members of getInfo, by their beginning; other lines describe the transport and the PIN.
    private static let lines: [(name: String, member: InfoMember, form: Form)] = [
        ("version strings", .versions, .texts), ("extension strings", .extensions, .texts),
        ("transport strings", .transports, .texts), ("algorithms", .algorithms, .algorithms),
        ("aaguid", .aaguid, .bytes), ("options", .options, .options), ("fwversion", .firmwareVersion, .number),
        ("maxmsgsiz", .maxMsgSize, .number), ("maxcredcntlst", .maxCredentialCountInList, .number),
        ("maxcredlen", .maxCredentialIdLength, .number), ("maxlargeblob", .maxSerializedLargeBlobArray, .number),
        ("maxcredbloblen", .maxCredBlobLength, .number), ("minpinlen", .minPINLength, .number),
        ("remaining rk(s)", .remainingDiscoverableCredentials, .number),
        ("maxrpids in minpinlen", .maxRPIDsForSetMinPINLength, .number),
        ("uv attempts", .preferredPlatformUvAttempts, .number),
        ("uv modality", .uvModality, .number), ("pin protocols", .pinUvAuthProtocols, .numbers),
        ("pin change required", .forcePINChange, .flag),
    ]

    /// The answer that a listing stands for; nil for another text, and for a log with a listing, which has the answer itself.
    static func answer(_ text: String) -> PrintedInfo? {
        guard !LogLines.haveLibFIDO2(text) else { return nil }
        var map = CBOR.Map()
        // Each version prints more members.
        var uncertain = Set(InfoMember.allCases)
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let (name, value) = (line[..<colon].trimmed, line[line.index(after: colon)...].trimmed)
            guard let known = lines.first(where: { $0.name == name }) else { continue }
            map[known.member.rawValue] = item(value, known.form)
            uncertain.remove(known.member)
        }
        guard map[InfoMember.versions.rawValue] != nil, map[InfoMember.aaguid.rawValue] != nil else { return nil }
        return PrintedInfo(map: map, uncertain: uncertain)
    }

    /// Nil for a value that stands for an absent member: nothing, `undefined`, or a limit of 0.
    private static func item(_ text: Substring, _ form: Form) -> CBOR.Value? {
        let words = text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
        guard !words.isEmpty else { return nil }
        switch form {
        case .texts: return .array(words.map { .text(String($0)) })
        case .numbers: return .array(words.compactMap(number).map { .integer($0) })
        case .number: return number(words[0]).flatMap { $0 == 0 ? nil : .integer($0) }
        case .flag: return words[0] == "true" ? true : nil
        case .bytes: return Hex.decode(text.filter { $0 != "-" }).map { .bytes($0) }
        case .options:
            var map = CBOR.Map()
            for word in words {
                // `noplat` is plat: false; one option's own name begins so.
                let isNegative = word.hasPrefix("no") && InfoOption(rawValue: String(word)) == nil
                map[String(isNegative ? word.dropFirst(2) : word)] = .bool(!isNegative)
            }
            return .map(map)
        case .algorithms:
            return .array(
                words.map { word in
                    let name = word.prefix { !$0.isWhitespace }.lowercased()
                    let algorithm = COSE.Algorithm.supported.first { $0.name?.lowercased() == name }
                    return ["alg": .integer(algorithm?.rawValue ?? 0), "type": "public-key"]
                })
        }
    }

    private static func number(_ text: Substring) -> Int? {
        let word = text.prefix { !$0.isWhitespace }
        return word.hasPrefix("0x") ? Int(word.dropFirst(2), radix: 16) : Int(word)
    }
}
