internal import COSE
internal import WebAuthn

/// The `packed` format (WebAuthn L3 §8.2): `{"alg": int, "sig": bytes}` signed with the credential's own key, or with
/// `"x5c": [leaf, issuer…]` signed with the leaf's.
package struct PackedAttestation: AttestationFormat {
    package let identifier = "packed"

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        let members = try StatementMembers(input.statement, known: ["alg", "sig", "x5c"])
        let signature = try StatementSignature(members)
        guard members.has("x5c") else { return try verifySelf(input, members, signature) }
        let path = try members.certificates()
        let leaf = try AttestationCertificate(leafOf: path)
        let reasons =
            leaf.judgePackedRequirements(model: input.attested.aaguid)
            + signature.judge(over: input.signedBytes, by: leaf)
        guard reasons.isEmpty else { throw .failed(reasons) }
        return .certified(path, flags: members.flags)
    }

    private func verifySelf(
        _ input: AttestationInput, _ members: StatementMembers, _ signature: StatementSignature
    ) throws(AttestationRefusal) -> AttestationResult {
        guard let key = input.credentialPublicKey else { throw .keyNeeded }
        var reasons: [Reason] = []
        if signature.algorithm != key.algorithm {
            let sentence = "the statement names \(signature.algorithm), the credential's key is for \(key.algorithm)"
            reasons.append(Reason(.attestationAlgorithmMismatch, sentence))
        }
        reasons += signature.judge(over: input.signedBytes, key: key)
        guard reasons.isEmpty else { throw .failed(reasons) }
        return .`self`(flags: members.flags)
    }
}
