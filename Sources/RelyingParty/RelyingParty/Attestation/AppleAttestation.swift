internal import COSE
internal import SwiftASN1
internal import WebAuthn
internal import X509

/// The `apple` format, Apple anonymous attestation (WebAuthn L3 §8.8): `{"x5c": [leaf, issuer…]}`.
///
/// The statement has no signature: the leaf is issued for this credential, certifies its key, and contains SHA-256 of
/// authenticator data ‖ client data hash in an extension. Devices of 2020 and 2021 also send `alg`, which is ignored.
package struct AppleAttestation: AttestationFormat {
    package let identifier = "apple"

    package init() {}

    package func verify(_ input: AttestationInput) throws(AttestationRefusal) -> AttestationResult {
        let members = try StatementMembers(input.statement, known: ["x5c", "alg"])
        let path = try members.certificates()
        let leaf = try AttestationCertificate(leafOf: path)
        var reasons = judgeNonce(leaf, sha256(input.signedBytes))
        if let key = input.credentialPublicKey, !leaf.holds(key) {
            reasons.append(Reason(.appleKeyMismatch, "the certificate's key is not the credential's"))
        }
        return try input.certified(by: path, unless: reasons, flags: members.flags)
    }

    private func judgeNonce(_ leaf: AttestationCertificate, _ expected: [UInt8]) -> [Reason] {
        guard let value = leaf.certificate.extensions[oid: [1, 2, 840, 113635, 100, 8, 2]]?.value else {
            return [Reason(.appleNonceMissing, "the certificate has no nonce")]
        }
        guard let nonce = try? Self.nonce(Array(value)) else {
            return [Reason(.appleNonceMalformed, "the nonce is not SEQUENCE { [1] OCTET STRING }")]
        }
        guard nonce == expected else {
            let sentence = "the nonce is not the hash of authenticator data and client data hash"
            return [Reason(.appleNonceMismatch, sentence)]
        }
        return []
    }

    private static func nonce(_ extensionValue: [UInt8]) throws -> [UInt8] {
        try DER.sequence(try DER.parse(extensionValue), identifier: .sequence) { nodes in
            try DER.explicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { node in
                Array(try ASN1OctetString(derEncoded: node).bytes)
            }
        }
    }
}

extension ReasonLabel {
    package static let appleNonceMissing: ReasonLabel = "attestation.apple.nonceMissing"
    package static let appleNonceMalformed: ReasonLabel = "attestation.apple.nonceMalformed"
    package static let appleNonceMismatch: ReasonLabel = "attestation.apple.nonceMismatch"
    package static let appleKeyMismatch: ReasonLabel = "attestation.apple.keyMismatch"
}
