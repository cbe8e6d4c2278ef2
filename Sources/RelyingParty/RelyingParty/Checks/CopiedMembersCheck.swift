internal import CBOR
internal import COSE
internal import WebAuthn

/// Compares the members of a registration's response with the attestation object that they repeat (WebAuthn L3 §5.2.1.1).
enum CopiedMembersCheck {
    static func data(_ response: AttestationResponse, _ object: AttestationObject) -> Reason? {
        guard let copy = response.authenticatorData?.bytes, copy != object.authenticatorData else { return nil }
        return Reason(
            .responseAuthenticatorDataMismatch,
            "the member authenticatorData differs from the attestation object, which counts")
    }

    /// - Parameter stated: the key in the attestation object, whose algorithm may be one that only a TPM attests.
    static func key(_ response: AttestationResponse, _ key: COSE.PublicKey, stated: CBOR.Value) -> [Reason] {
        var reasons: [Reason] = []
        if let copy = response.publicKey?.bytes, copy != key.subjectPublicKeyInfo {
            reasons.append(Reason(.responsePublicKeyMismatch, "the member publicKey " + difference(copy, key)))
        }
        var algorithm = key.algorithm
        if case .map(let map) = stated, let number = try? map[3]?.asInteger("alg") {
            algorithm = .init(rawValue: number)
        }
        if let number = response.publicKeyAlgorithm, number != algorithm.rawValue {
            let sentence = "the member publicKeyAlgorithm is \(number), and the key is for \(algorithm)"
            reasons.append(Reason(.responseAlgorithmMismatch, sentence))
        }
        return reasons
    }

    private static func difference(_ copy: [UInt8], _ key: COSE.PublicKey) -> String {
        let raw = key.rawRepresentation
        if copy == raw || copy == Array(raw.dropFirst()) {
            return
                "is the bare key (\(copy.count) bytes), not its SubjectPublicKeyInfo (\(key.subjectPublicKeyInfo.count))"
        }
        if copy == key.encoded { return "is the COSE key, not its SubjectPublicKeyInfo" }
        // A SEQUENCE in DER.
        return copy.first == 0x30
            ? "is another key than that of the attestation object, which counts"
            : "is not the SubjectPublicKeyInfo of the attestation object's key, which counts"
    }
}
