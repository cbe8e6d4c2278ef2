internal import CBOR
internal import COSE
internal import WebAuthn

/// The `packed` format (WebAuthn L3 §8.2): `{"alg": int, "sig": bytes}` signed with the credential's own key, or with
/// `"x5c": [leaf, issuer…]` signed with the leaf's.
package struct PackedAttestation: AttestationFormat {
    package let identifier = "packed"

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        let statement = try SignedStatement(input.statement, members: ["alg", "sig", "x5c"])
        if let path = statement.x5c {
            return try verifyCertified(input, statement, path)
        }
        return try verifySelf(input, statement)
    }

    private func verifySelf(
        _ input: AttestationInput, _ statement: SignedStatement
    ) throws(AttestationRefusal) -> AttestationResult {
        guard let key = input.credentialPublicKey else { throw .keyNeeded }
        var reasons: [Reason] = []
        if statement.algorithm != key.algorithm {
            let sentence = "the statement names \(statement.algorithm), the credential's key is for \(key.algorithm)"
            reasons.append(Reason(.attestationAlgorithmMismatch, sentence))
        }
        reasons += statement.judgeSignature(over: input.signedBytes, key: key)
        guard reasons.isEmpty else { throw .failed(reasons) }
        return .`self`
    }

    private func verifyCertified(
        _ input: AttestationInput, _ statement: SignedStatement, _ path: [[UInt8]]
    ) throws(AttestationRefusal) -> AttestationResult {
        let leaf = try AttestationCertificate(der: path.first ?? [])
        var reasons = leaf.judgePackedRequirements(model: input.attested.aaguid)
        switch leaf.publicKey(for: statement.algorithm) {
        case .success(let key): reasons += statement.judgeSignature(over: input.signedBytes, key: key)
        case .failure(let problem): reasons.append(problem.reason)
        }
        guard reasons.isEmpty else { throw .failed(reasons) }
        return .certified(path)
    }
}
