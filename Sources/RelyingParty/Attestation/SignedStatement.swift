internal import CBOR
internal import COSE

/// The members most formats share: `alg`, `sig` and, where certified, `x5c`.
struct SignedStatement {
    let map: CBOR.Map
    let algorithm: COSE.Algorithm
    let signature: [UInt8]
    /// The certificates in DER, leaf first; nil where there is no `x5c`.
    let x5c: [[UInt8]]?

    /// Longer paths do not occur, and building paths from many look-alike certificates takes long.
    private static let pathLimit = 8

    /// Reads a statement; members beyond `members` are refused.
    init(_ statement: CBOR.Value, members: Set<String>) throws(AttestationRefusal) {
        do {
            map = try statement.asMap("attStmt")
            algorithm = COSE.Algorithm(rawValue: try map.required("alg", "alg").asInteger("alg"))
            signature = try map.required("sig", "sig").asBytes("sig")
            if let value = map["x5c"] {
                var path: [[UInt8]] = []
                for item in try value.asArray("x5c") { path.append(try item.asBytes("x5c")) }
                x5c = path
            } else {
                x5c = nil
            }
        } catch {
            throw Self.malformed(error.description)
        }
        for key in map.keys {
            guard case .text(let name) = key, members.contains(name) else {
                throw Self.malformed("the statement has a member \(key) that its format does not know")
            }
        }
        if let x5c, !(1...Self.pathLimit).contains(x5c.count) {
            throw Self.malformed("x5c holds \(x5c.count) certificates, not 1 to \(Self.pathLimit)")
        }
    }

    static func malformed(_ explanation: String) -> AttestationRefusal {
        .failed([Reason(.attestationStatementMalformed, explanation)])
    }

    /// Whether the signature is this key's over these bytes.
    func judgeSignature(over bytes: [UInt8], key: COSE.PublicKey) -> [Reason] {
        switch SignatureCheck(signature, over: bytes, key: key) {
        case .valid: []
        case .invalid: [Reason(.attestationSignatureInvalid, "the attestation signature does not verify")]
        case .malformed(let problem): [Reason(.attestationSignatureMalformed, "the attestation signature: \(problem)")]
        }
    }
}
