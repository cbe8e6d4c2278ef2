public import CBOR
public import COSE

extension AttestationMaker {
    /// `{"alg", "sig"}`, signed with the credential's own key (WebAuthn L3 §8.2, self attestation): needs no authority.
    ///
    /// - Throws: the library's error, when the key cannot sign.
    public static func selfStatement(
        about subject: AttestationSubject, signing: COSE.SigningMode
    ) throws -> CBOR.Value {
        try selfStatement(subject.privateKey, over: subject.signedBytes, signing)
    }

    private static func selfStatement(
        _ key: COSE.PrivateKey, over message: [UInt8], _ signing: COSE.SigningMode
    ) throws -> CBOR.Value {
        let mode = signing.possible(for: key.algorithm)
        return ["alg": .integer(key.algorithm.rawValue), "sig": .bytes(try key.sign(message, mode: mode))]
    }

    func packedSelf(_ subject: AttestationSubject) throws -> CBOR.Value {
        try Self.selfStatement(subject.privateKey, over: signedMessage(subject.signedBytes), signing)
    }

    /// `{"alg", "sig", "x5c"}`, signed with the model's key (WebAuthn L3 §8.2, basic attestation).
    func packedBasic(_ subject: AttestationSubject) throws -> CBOR.Value {
        let signer = if case .credentialSigner? = effect { subject.privateKey } else { attestationKey }
        return [
            "alg": .integer(attestationKey.algorithm.rawValue),
            "sig": .bytes(try sign(subject.signedBytes, with: signer)),
            "x5c": try path(leafForm(.packedBasic)),
        ]
    }
}
