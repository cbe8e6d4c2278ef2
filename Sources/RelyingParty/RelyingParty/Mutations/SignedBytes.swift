internal import COSE
internal import Mutations
internal import WebAuthn

/// Wrong compositions of the bytes that an assertion signs, for a mutation run.
enum SignedBytes {
    /// The composition that an active mutation accepts beside the right one; nil without one.
    static func mistaken(_ assertion: AssertionResponse) -> [UInt8]? {
        let data = assertion.authenticatorData.bytes
        let clientData = assertion.clientDataJSON.bytes
        if VerifierMutation.signatureOverData.isActive { return data }
        if VerifierMutation.signatureOverHash.isActive { return sha256(clientData) }
        if VerifierMutation.signatureInReverse.isActive { return sha256(clientData) + data }
        if VerifierMutation.signatureOverDigest.isActive { return sha256(data + sha256(clientData)) }
        if VerifierMutation.signatureOverHashedHash.isActive { return data + sha256(sha256(clientData)) }
        return nil
    }
}
