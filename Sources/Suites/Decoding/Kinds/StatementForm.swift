internal import CBOR
internal import COSE
internal import RelyingParty
internal import WebAuthn

/// The members of attestation statements (WebAuthn L3 §8).
struct StatementForm {
    let required: [String]
    var optional: [String] = []
    let clause: String

    private static let all: [String: StatementForm] = [
        "none": StatementForm(required: [], clause: "WebAuthn L3 §8.7"),
        "packed": StatementForm(required: ["alg", "sig"], optional: ["x5c"], clause: "WebAuthn L3 §8.2"),
        "tpm": StatementForm(
            required: ["ver", "alg", "x5c", "sig", "certInfo", "pubArea"], clause: "WebAuthn L3 §8.3"),
        "android-key": StatementForm(required: ["alg", "sig", "x5c"], clause: "WebAuthn L3 §8.4"),
        "android-safetynet": StatementForm(required: ["ver", "response"], clause: "WebAuthn L3 §8.5"),
        "fido-u2f": StatementForm(required: ["x5c", "sig"], clause: "WebAuthn L3 §8.6"),
        "apple": StatementForm(required: ["x5c"], clause: "WebAuthn L3 §8.8"),
    ]

    /// Whether a specification names an attestation format.
    static func isKnown(_ format: String) -> Bool { format == "compound" || all[format] != nil }

    /// - Parameter authenticatorData: that beside the statement; empty where it cannot be read.
    static func problems(
        _ format: String, _ statement: CBOR.Value, beside authenticatorData: [UInt8]
    ) -> [DecodingProblem] {
        if format == "compound" {
            guard case .array(let items) = statement, items.count >= 2 else {
                return [DecodingProblem("attStmt is not an array of at least two statements", "WebAuthn L3 §8.9")]
            }
            return items.flatMap { item in
                guard case .map(let map) = item, case .text(let inner)? = map["fmt"], let statement = map["attStmt"]
                else {
                    return [DecodingProblem("a statement in attStmt lacks fmt or attStmt", "WebAuthn L3 §8.9")]
                }
                return problems(inner, statement, beside: authenticatorData)
            }
        }
        guard let form = all[format] else {
            return [DecodingProblem("no specification names the attestation format \(format)", "WebAuthn L3 §8.1")]
        }
        guard case .map(let map) = statement else { return [DecodingProblem("attStmt is not a map", form.clause)] }
        let known = form.required + form.optional
        return form.required.filter { map[$0] == nil }.map { DecodingProblem("attStmt.\($0) is missing", form.clause) }
            + map.keys.filter { key in !known.contains { key == .text($0) } }.map {
                DecodingProblem("attStmt has the member \($0), which \(format) does not have", form.clause)
            } + form.otherAlgorithm(map, authenticatorData)
    }

    /// An algorithm that is not one of the key that signs: the first certificate's, or the credential's without one.
    private func otherAlgorithm(_ statement: CBOR.Map, _ authenticatorData: [UInt8]) -> [DecodingProblem] {
        guard let number = statement["alg"].flatMap({ try? $0.asInteger("alg") }) else { return [] }
        let algorithm = COSE.Algorithm(rawValue: number)
        if case .array(let path)? = statement["x5c"] {
            guard case .bytes(let der)? = path.first, let key = try? CertificateOutline(der: der).key else { return [] }
            do {
                _ = try COSE.PublicKey(algorithm: algorithm, subjectPublicKeyInfo: key.encoded)
            } catch .keyTypeMismatch {
                return [
                    DecodingProblem(
                        "attStmt.alg is \(algorithm), and the certificate's key is \(key.algorithm)", clause)
                ]
            } catch {}
            return []
        }
        // Self attestation (WebAuthn L3 §6.5.3).
        guard optional.contains("x5c"), let data = try? AuthenticatorData(parsing: authenticatorData),
            let key = data.attestedCredentialData.flatMap({ try? COSE.PublicKey(cbor: $0.credentialPublicKey) }),
            key.algorithm != algorithm
        else { return [] }
        return [
            DecodingProblem("attStmt.alg is \(algorithm), and the credential's key is one for \(key.algorithm)", clause)
        ]
    }

    /// The certificates in `x5c`, each as a part of its own.
    static func certificates(_ statement: CBOR.Value) -> [DecodedPart] {
        guard case .map(let map) = statement, case .array(let path)? = map["x5c"] else { return [] }
        return path.enumerated().map { place, item in
            let title = "certificate \(place + 1) of \(path.count) in x5c"
            guard case .bytes(let der) = item else {
                return DecodedPart(title: title, length: 0, problems: [DecodingProblem("it is not a byte string")])
            }
            return Reading.certificatePart(der, title: title)
        }
    }
}
