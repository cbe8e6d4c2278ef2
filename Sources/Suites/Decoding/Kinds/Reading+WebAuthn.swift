internal import CBOR
internal import Trace
internal import WebAuthn

/// Structures of WebAuthn.
extension Reading {
    static func attestationObject(_ bytes: [UInt8]) -> Reading? {
        let clause = "WebAuthn L3 §6.5.4"
        guard let map = map(bytes) else {
            // The beginning of an object that ends early: a map with `fmt` first in any usual order.
            let marks = ["fmt", "authData", "attStmt"].map { [0x60 + UInt8($0.utf8.count)] + Array($0.utf8) }
            guard bytes.first.map({ (0xA1...0xA4).contains($0) }) ?? false,
                marks.contains(where: { bytes.dropFirst().starts(with: $0) })
            else { return nil }
            let readable = readableMembers(bytes).map { CBOR.encode(.map($0), ordering: .asGiven) }
            let part = DecodedPart(
                title: "attestation object", length: bytes.count,
                fields: ResponseDecoder.attestationObject(readable ?? bytes),
                problems: [canonicalProblem(bytes, .attestation)].compactMap(\.self))
            return Reading(.attestationObject, fits: false, [part])
        }
        let members = ["fmt", "attStmt", "authData"]
        guard members.filter({ map[.text($0)] != nil }).count >= 2 else { return nil }
        var part = DecodedPart(
            title: "attestation object", length: bytes.count, fields: ResponseDecoder.attestationObject(bytes))
        part.problems = [canonicalProblem(bytes, .attestation)].compactMap(\.self)
        part.problems += members.filter { map[.text($0)] == nil }.map { DecodingProblem("\($0) is missing", clause) }
        part.problems += map.keys.filter { key in !members.contains { key == .text($0) } }.map {
            DecodingProblem("no specification names the member \($0)", clause)
        }
        var authenticatorData: [UInt8] = []
        switch map["authData"] {
        case .bytes(let data)?:
            authenticatorData = data
            part.problems += AuthenticatorDataRules.problems(data, .registration)
        case nil: break
        default: part.problems.append(DecodingProblem("authData is not a byte string", clause))
        }
        let statement = map["attStmt"] ?? .null
        if case .text(let format)? = map["fmt"], map["attStmt"] != nil {
            part.problems += StatementForm.problems(format, statement, beside: authenticatorData)
        }
        return Reading(.attestationObject, [part] + StatementForm.certificates(statement))
    }

    static func authenticatorData(_ bytes: [UInt8]) -> Reading? {
        guard bytes.count >= 37 else { return nil }
        let flags = AuthenticatorDataFlags(rawValue: bytes[32])
        let problems = AuthenticatorDataRules.problems(bytes, nil)
        let fields =
            flags.contains(.attestedCredentialData)
            ? ResponseDecoder.registrationData(bytes) : ResponseDecoder.authenticatorData(bytes)
        let part = DecodedPart(title: "authenticator data", length: bytes.count, fields: fields, problems: problems)
        return Reading(.authenticatorData, match: AuthenticatorDataRules.match(bytes), [part])
    }

    static func clientData(_ bytes: [UInt8]) -> Reading? {
        let names = ["\"type\"", "\"challenge\"", "\"origin\""]
        guard let text = String(validating: bytes, as: UTF8.self),
            text.contains("\"clientExtensions\"") || names.filter({ text.contains($0) }).count >= 2,
            text.drop(while: \.isWhitespace).first.map({ $0 == "{" || $0 == "\u{FEFF}" }) ?? false
        else { return nil }
        let clause = "WebAuthn L3 §5.8.1"
        var part = DecodedPart(title: "client data", length: bytes.count)
        let data: CollectedClientData
        do {
            data = try CollectedClientData(parsing: bytes)
        } catch {
            part.problems = [DecodingProblem("\(error)", clause)]
            part.fields = [.text("json", text)]
            return Reading(.clientData, [part])
        }
        let challenge = Base64URL.decode(data.challenge)
        part.fields = [.text("type", data.type), .text("challenge", data.challenge)]
        part.fields += [.text("origin", data.origin)]
        if let crossOrigin = data.crossOrigin { part.fields.append(.text("crossOrigin", "\(crossOrigin)")) }
        if let topOrigin = data.topOrigin { part.fields.append(.text("topOrigin", topOrigin)) }
        if ![CollectedClientData.createType, CollectedClientData.getType].contains(data.type) {
            part.problems.append(DecodingProblem("no specification names the type \(data.type)", clause))
        }
        switch challenge?.count {
        case nil: part.problems.append(DecodingProblem("challenge is not base64url without padding", clause))
        case .some(let count) where count < 16:
            part.problems.append(
                DecodingProblem("challenge has \(count) bytes; at least 16 are recommended", "WebAuthn L3 §13.4.3"))
        default: break
        }
        if data.topOrigin != nil, data.crossOrigin != true {
            part.problems.append(DecodingProblem("topOrigin comes without crossOrigin: true", clause))
        }
        return Reading(.clientData, [part])
    }
}
