internal import CBOR
internal import COSE

/// The members common to most formats: `alg`, `sig` and, for certified statements, `x5c`.
struct SignedStatement {
    let members: StatementMembers
    let algorithm: COSE.Algorithm
    let signature: [UInt8]
    /// The certificates in DER, leaf first; nil without `x5c`.
    let x5c: [[UInt8]]?

    /// Reads a statement; members beyond `members` are refused.
    init(_ statement: CBOR.Value, members known: Set<String>) throws(AttestationRefusal) {
        members = try StatementMembers(statement, known: known)
        algorithm = COSE.Algorithm(rawValue: try members.integer("alg"))
        signature = try members.bytes("sig")
        x5c = try members.certificatesIfPresent()
    }

    /// Checks the signature over these bytes with this key.
    func judgeSignature(over bytes: [UInt8], key: COSE.PublicKey) -> [Reason] {
        Self.judge(signature, over: bytes, key: key)
    }

    static func judge(_ signature: [UInt8], over bytes: [UInt8], key: COSE.PublicKey) -> [Reason] {
        switch SignatureCheck(signature, over: bytes, key: key) {
        case .valid: []
        case .invalid: [Reason(.attestationSignatureInvalid, "the attestation signature does not verify")]
        case .malformed(let problem): [Reason(.attestationSignatureMalformed, "the attestation signature: \(problem)")]
        }
    }
}
