internal import CBOR
internal import COSE
internal import CTAP
internal import WebAuthn

/// The comparable parts of an answer.
struct AnswerFacts {
    /// One part of an answer.
    struct Fact: Hashable {
        /// Its name: `flags`, `counter`.
        let name: String
        let value: String
        /// Whether it depends on the individual device rather than on its model.
        var isState = false
    }

    /// The outcome in a few words: the status, or what replaces it.
    let outcome: String
    /// The parts of an answer with status OK.
    let facts: [Fact]

    init(_ result: ProbeResult) {
        var outcomes: [String] = []
        for answer in result.answers {
            let words = Self.words(answer)
            if outcomes.last != words { outcomes.append(words) }
        }
        outcome = outcomes.joined(separator: ", then ")
        facts = result.answers.first?.body.map { Self.facts(of: $0, result) } ?? []
    }

    private static func words(_ answer: ProbeAnswer) -> String {
        switch answer {
        case .answer(let bytes):
            (answer.status?.description ?? "no status") + (complaint(about: bytes).map { ", \($0)" } ?? "")
        case .askedForTouch: "asks for a touch"
        case .notSent(let reason): "not sent: \(reason)"
        case .transportError(let detail): "transport error: \(detail)"
        }
    }

    /// The defect in the form of an answer: a refusal has no parameters, any other answer is canonical CBOR.
    private static func complaint(about bytes: [UInt8]) -> String? {
        guard bytes.count > 1 else { return nil }
        guard bytes.first == CTAPStatus.ok.rawValue else {
            return "with \(bytes.count == 2 ? "1 byte" : "\(bytes.count - 1) bytes") after it"
        }
        do {
            _ = try CBOR.decode(bytes, from: 1, options: .attestation)
            return nil
        } catch {
            return "but \(error.rule.explanation)"
        }
    }

    private static func facts(of body: CBOR.Value, _ result: ProbeResult) -> [Fact] {
        guard case .map(let map) = body else { return [Fact(name: "response", value: "no map")] }
        switch result.probe.reading {
        case .status, .information: return []
        case .members: return map.map { Fact(name: name(of: $0.key), value: $0.value.description) }
        case .state: return map.map { Fact(name: name(of: $0.key), value: $0.value.description, isState: true) }
        case .keyAgreement: return keyAgreement(map)
        case .credential: return credential(body, map)
        case .assertion: return assertion(body, map, result)
        }
    }

    private static func name(of key: CBOR.Value) -> String {
        (try? key.asUnsigned("key")).map { ($0 < 16 ? "0x0" : "0x") + String($0, radix: 16, uppercase: true) }
            ?? key.description
    }

    private static func members(_ map: CBOR.Map) -> Fact {
        Fact(name: "members", value: map.keys.map(name).joined(separator: ", "))
    }

    // MARK: Keys, credentials and signatures

    private static func keyAgreement(_ map: CBOR.Map) -> [Fact] {
        guard case .map(let key)? = map[0x01] else { return [Fact(name: "key", value: "none")] }
        // kty, alg and crv are constant; x and y are random (RFC 9053 §7.1).
        let parts = key.map { entry in
            if case .bytes(let bytes) = entry.value { return "\(entry.key): \(bytes.count) bytes" }
            return "\(entry.key): \(entry.value)"
        }
        return [Fact(name: "key", value: parts.joined(separator: ", "))]
    }

    private static func credential(_ body: CBOR.Value, _ map: CBOR.Map) -> [Fact] {
        guard let response = try? MakeCredentialResponse(cbor: body) else {
            return [members(map), Fact(name: "response", value: "unreadable")]
        }
        var facts = [members(map), Fact(name: "format", value: response.format)]
        if case .map(let statement) = response.attestationStatement {
            let keys = statement.keys.map(plain).sorted().joined(separator: ", ")
            facts.append(Fact(name: "statement", value: keys.isEmpty ? "empty" : keys))
        }
        guard let data = authenticatorData(response.authenticatorData, &facts),
            let made = data.attestedCredentialData
        else { return facts }
        facts.append(Fact(name: "credentialIdLength", value: "\(made.credentialID.count) bytes"))
        let key = try? COSE.PublicKey(cbor: made.credentialPublicKey)
        facts.append(
            Fact(name: "key", value: key.map { $0.algorithm.name ?? "\($0.algorithm.rawValue)" } ?? "unusable"))
        return facts
    }

    private static func assertion(_ body: CBOR.Value, _ map: CBOR.Map, _ result: ProbeResult) -> [Fact] {
        guard let response = try? GetAssertionResponse(cbor: body) else {
            return [members(map), Fact(name: "response", value: "unreadable")]
        }
        var facts = [members(map)]
        _ = authenticatorData(response.authenticatorData, &facts)
        let signed = response.authenticatorData + ProbeCatalogue.clientDataHash
        let isVerified = result.credential?.publicKey.verify(response.signature, over: signed) ?? false
        facts.append(Fact(name: "signature", value: isVerified ? "verifies" : "does not verify"))
        return facts
    }

    private static func authenticatorData(_ bytes: [UInt8], _ facts: inout [Fact]) -> AuthenticatorData? {
        do throws(AuthenticatorData.ParsingError) {
            let data = try AuthenticatorData(parsing: bytes)
            facts.append(Fact(name: "flags", value: data.flags.abbreviations))
            facts.append(Fact(name: "counter", value: "\(data.signCount)", isState: true))
            if let extensions = data.extensions {
                facts.append(Fact(name: "extensions", value: extensions.keys.map(plain).joined(separator: ", ")))
            }
            return data
        } catch {
            facts.append(Fact(name: "authData", value: error.description))
            return nil
        }
    }

    private static func plain(_ key: CBOR.Value) -> String {
        if case .text(let text) = key { text } else { key.description }
    }
}
