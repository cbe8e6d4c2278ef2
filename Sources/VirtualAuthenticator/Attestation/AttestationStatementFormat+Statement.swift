internal import CBOR
internal import COSE

extension AttestationStatementFormat {
    /// The statement over authenticator data and client data hash.
    ///
    /// - Throws: the library's error, when the key cannot sign.
    func statement(
        for credential: StoredCredential, authenticatorData: [UInt8], clientDataHash: [UInt8],
        mode: COSE.SigningMode
    ) throws -> CBOR.Value {
        switch self {
        case .none:
            return [:]
        case .packed:
            // Self attestation: no x5c, and the credential's own algorithm (WebAuthn L3 §8.2).
            let signature = try credential.privateKey.sign(authenticatorData + clientDataHash, mode: mode)
            return ["alg": .integer(credential.privateKey.algorithm.rawValue), "sig": .bytes(signature)]
        }
    }
}
