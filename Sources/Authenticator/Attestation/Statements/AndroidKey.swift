internal import CBOR
internal import COSE
internal import SwiftASN1

extension AttestationMaker {
    /// `{"alg", "sig", "x5c"}`: signed with the credential's key, whose certificate describes it (WebAuthn L3 §8.4).
    func androidKey(_ subject: AttestationSubject) throws -> CBOR.Value {
        let key = flaw == .androidOtherKey ? try authority.key("unknown") : subject.privateKey
        let message = flaw == .wrongSignature ? subject.signedBytes + [0] : subject.signedBytes
        var form = form("Android key \(subject.credentialID)", for: key.publicKey)
        form.add([1, 3, 6, 1, 4, 1, 11129, 2, 1, 17], keyDescription(subject))
        return [
            "alg": .integer(key.algorithm.rawValue), "sig": .bytes(try key.sign(message, mode: signing)),
            "x5c": try path(form),
        ]
    }

    /// KeyDescription of a key made and kept in the trusted execution environment (Android keystore attestation):
    /// versions and security levels, challenge, unique ID, and the software and hardware authorizations.
    private func keyDescription(_ subject: AttestationSubject) -> [UInt8] {
        let isDescribed = authority.vendor.describesAndroidKeys
        let challenge = flaw == .androidChallenge ? [UInt8](repeating: 0, count: 32) : subject.clientDataHash
        return DER.Serializer.bytes {
            $0.sequence {
                // attestationVersion 300, keyMintVersion; TrustedEnvironment or Software.
                $0.integer([0x01, 0x2C])
                $0.securityLevel(isDescribed ? 0x01 : 0x00)
                $0.integer(isDescribed ? [0x01, 0x2C] : [])
                $0.securityLevel(isDescribed ? 0x01 : 0x00)
                $0.octetString(challenge)
                $0.octetString([])
                $0.sequence { _ in }
                $0.sequence { if isDescribed { enforcedByHardware(&$0) } }
            }
        }
    }

    /// purpose [1] SET OF { sign }, allApplications [600], origin [702] generated.
    private func enforcedByHardware(_ serializer: inout DER.Serializer) {
        serializer.tagged(1) {
            $0.appendConstructedNode(identifier: .set) { $0.integer([flaw == .androidPurpose ? 0x03 : 0x02]) }
        }
        if flaw == .androidAllApplications { serializer.tagged(600) { $0.null() } }
        serializer.tagged(702) { $0.integer(flaw == .androidOrigin ? [0x02] : []) }
    }
}

extension DER.Serializer {
    fileprivate mutating func securityLevel(_ level: UInt8) {
        appendPrimitiveNode(identifier: .enumerated) { $0.append(level) }
    }
}
