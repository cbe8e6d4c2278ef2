internal import CBOR
internal import COSE

extension AttestationMaker {
    /// `{"alg", "sig"}`, signed with the credential's own key (WebAuthn L3 §8.2, self attestation).
    func packedSelf(_ subject: AttestationSubject) throws -> CBOR.Value {
        let key = subject.privateKey
        // ML-DSA is only ever signed with fresh randomness.
        let mode: COSE.SigningMode = key.algorithm == .mlDSA65 || key.algorithm == .mlDSA87 ? .randomized : signing
        let message = flaw == .wrongSignature ? subject.signedBytes + [0] : subject.signedBytes
        return ["alg": .integer(key.algorithm.rawValue), "sig": .bytes(try key.sign(message, mode: mode))]
    }

    /// `{"alg", "sig", "x5c"}`, signed with the model's key (WebAuthn L3 §8.2, basic attestation).
    func packedBasic(_ subject: AttestationSubject) throws -> CBOR.Value {
        [
            "alg": .integer(attestationKey.algorithm.rawValue), "sig": .bytes(try sign(subject.signedBytes)),
            "x5c": try path(leafForm()),
        ]
    }
}
