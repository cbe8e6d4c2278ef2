internal import CBOR

extension AttestationMaker {
    /// An array of statements about the same credential (WebAuthn L3 §8.9).
    func compound(_ subject: AttestationSubject) throws -> CBOR.Value {
        var honest = self
        honest.flaw = nil
        let first = try honest.packedBasic(subject)
        // Only the last statement has the flaw.
        let second = try androidKey(subject)
        return .array([["fmt": "packed", "attStmt": first], ["fmt": "android-key", "attStmt": second]])
    }
}
