internal import CBOR
internal import COSE
internal import SwiftASN1

extension AttestationMaker {
    /// `{"alg", "sig", "x5c"}`: signed with the credential's key, whose certificate describes it (WebAuthn L3 §8.4).
    func androidKey(_ subject: AttestationSubject) throws -> CBOR.Value {
        let key = flaw == .androidOtherKey ? try authority.key("nobody's") : subject.privateKey
        let message = flaw == .wrongSignature ? subject.signedBytes + [0] : subject.signedBytes
        var form = form("Android key \(subject.credentialID)", for: key.publicKey)
        form.add([1, 3, 6, 1, 4, 1, 11129, 2, 1, 17], keyDescription(subject))
        return [
            "alg": .integer(key.algorithm.rawValue), "sig": .bytes(try key.sign(message, mode: signing)),
            "x5c": try path(form),
        ]
    }

    /// KeyDescription of a key made and kept in the trusted execution environment (Android keystore attestation):
    /// versions and security levels, challenge, unique ID, and what either enforcer allows.
    private func keyDescription(_ subject: AttestationSubject) -> [UInt8] {
        let isDescribed = authority.vendor.describesAndroidKeys
        let attestationVersion: [UInt8] = [0x02, 0x02, 0x01, 0x2C]
        let keyMintVersion: [UInt8] = isDescribed ? attestationVersion : [0x02, 0x01, 0x00]
        // TrustedEnvironment or Software.
        let securityLevel: [UInt8] = [0x0A, 0x01, isDescribed ? 0x01 : 0x00]
        let challenge = flaw == .androidChallenge ? [UInt8](repeating: 0, count: 32) : subject.clientDataHash
        // purpose [1] SET OF { sign }, origin [702] generated, allApplications [600].
        let purpose = DEREncoding.element(
            [0xA1], DEREncoding.element([0x31], [0x02, 0x01, flaw == .androidPurpose ? 0x03 : 0x02]))
        let origin = DEREncoding.element([0xBF, 0x85, 0x3E], [0x02, 0x01, flaw == .androidOrigin ? 0x02 : 0x00])
        let allApplications = DEREncoding.element([0xBF, 0x84, 0x58], [0x05, 0x00])
        let enforced =
            isDescribed ? purpose + (flaw == .androidAllApplications ? allApplications : []) + origin : []
        return DEREncoding.element(
            [0x30],
            attestationVersion + securityLevel + keyMintVersion + securityLevel + DEREncoding.element([0x04], challenge)
                + DEREncoding.element([0x04], []) + DEREncoding.element([0x30], [])
                + DEREncoding.element([0x30], enforced))
    }
}
