internal import CBOR
internal import COSE
internal import CTAP
internal import Documents
internal import Tables
internal import WebAuthn
internal import Wording

/// The values of getInfo's members in words.
package enum InfoWords {
    /// A value for a table; a value of the wrong type in CBOR's diagnostic notation.
    static func value(_ value: CBOR.Value, of member: InfoMember) -> String {
        switch (member, value) {
        case (.aaguid, .bytes(let bytes)): AAGUID(bytes: bytes)?.description ?? value.description
        case (.pinComplexityPolicyURL, .bytes(let bytes)): TerminalText.escaped(String(decoding: bytes, as: UTF8.self))
        case (_, .bytes(let bytes)): Hex.encode(bytes)
        case (.certifications, .map(let levels)):
            levels.map { "\(text($0.key)) level \(text($0.value))" }.joined(separator: ", ")
        case (.authenticatorConfigCommands, .array(let items)): items.map(configCommand).joined(separator: ", ")
        case (_, .array(let items)): items.isEmpty ? "none" : items.map(text).joined(separator: ", ")
        case (.uvModality, .unsigned): (try? value.asUnsigned("uvModality")).map(modality) ?? value.description
        case (.firmwareVersion, .unsigned):
            (try? value.asUnsigned("firmwareVersion")).map(firmware) ?? value.description
        case (_, .unsigned): (try? value.asUnsigned("number")).map { amount($0, of: member) } ?? value.description
        case (_, .bool(let flag)): "\(flag)"
        default: value.description
        }
    }

    /// A value as JSON: the AAGUID with its dashes, algorithms with their names, addresses as text.
    static func json(_ value: CBOR.Value, of member: InfoMember) -> JSONValue {
        switch (member, value) {
        case (.aaguid, .bytes(let bytes)): AAGUID(bytes: bytes).map { .text($0.description) } ?? JSONValue(value)
        case (.pinComplexityPolicyURL, .bytes(let bytes)): .text(String(decoding: bytes, as: UTF8.self))
        case (.algorithms, .array(let items)): .array(items.map(algorithm))
        default: JSONValue(value)
        }
    }

    /// One item of a list: a text, a number or an algorithm's name.
    static func text(_ item: CBOR.Value) -> String {
        switch item {
        case .text(let text): TerminalText.escaped(text)
        case .map(let map):
            (try? map["alg"]?.asInteger("alg")).map { COSE.Algorithm(rawValue: $0).name ?? "\($0)" }
                ?? item.description
        default: item.description
        }
    }

    private static func algorithm(_ item: CBOR.Value) -> JSONValue {
        guard case .object(var members) = JSONValue(item), case .integer(let number) = members["alg"] else {
            return JSONValue(item)
        }
        members["name"] = COSE.Algorithm(rawValue: number).name.map { .text($0) }
        return .object(members)
    }

    static func amount(_ number: Int, of member: InfoMember) -> String {
        switch member {
        case .maxMsgSize, .maxCredentialIdLength, .maxSerializedLargeBlobArray, .maxCredBlobLength:
            Wording.counted(number, "byte")
        case .minPINLength: Wording.counted(number, "character")
        case .maxPINLength: "\(Wording.counted(number, "byte")) of UTF-8"
        default: "\(number)"
        }
    }

    /// `0x050701 (5.7.1)`: the number, and the version of three parts that Yubico and others encode in it.
    package static func firmware(_ number: Int) -> String {
        let (major, minor, patch) = (number >> 16, number >> 8 & 0xFF, number & 0xFF)
        let hexadecimal = hex(number, digits: 6)
        guard (1...15).contains(major), minor < 100, patch < 100 else { return "\(hexadecimal) (\(number))" }
        return "\(hexadecimal) (\(major).\(minor).\(patch))"
    }

    static func modality(_ bits: Int) -> String {
        let known = InfoMember.userVerificationMethods
        var names = known.indices.filter { bits >> $0 & 1 == 1 }.map { known[$0] }
        let rest = (bits >> known.count) << known.count
        if rest != 0 { names.append("unknown \(hex(rest, digits: 1))") }
        return "\(hex(bits, digits: 2)) (\(names.isEmpty ? "nothing" : names.joined(separator: ", ")))"
    }

    private static func configCommand(_ item: CBOR.Value) -> String {
        guard let number = try? item.asUnsigned("subcommand"),
            let subcommand = AuthenticatorConfigSubcommand(rawValue: number)
        else { return item.description }
        return "\(subcommand)"
    }

    /// The name of an unknown member: its number in hexadecimal, or its key.
    static func name(ofUnknown key: CBOR.Value) -> String {
        (try? key.asUnsigned("key")).map { hex($0, digits: 2) } ?? key.description
    }

    static let unknownMember = "no specification names this member"

    static func identifier(_ key: CBOR.Value) -> String {
        if case .text(let text) = key { text } else { key.description }
    }

    static func hex(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
