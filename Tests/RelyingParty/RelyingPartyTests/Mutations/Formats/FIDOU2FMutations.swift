import CBOR
import COSE
import Crypto
import RelyingParty
import Testing
import WebAuthn
import X509

extension RegistrationMutation {
    private static func u2f(
        _ name: String, _ label: ReasonLabel?, _ edit: @escaping @Sendable (inout RegistrationSample) throws -> Void
    ) -> RegistrationMutation {
        var caughtBy: [VerificationStep: ReasonLabel] = [:]
        if let label { caughtBy[.attestationStatement] = label }
        return RegistrationMutation("fido-u2f: \(name)", caughtBy: caughtBy, kinds: [.fidoU2F], apply: edit)
    }

    static let fidoU2FRules: [RegistrationMutation] = [
        u2f("two certificates", .fidoU2FCertificateCount) { $0.certificates.append(try VectorFile.rootCertificate()) },
        u2f("the same certificate twice", .fidoU2FCertificateCount) { $0.certificates += $0.certificates },
        u2f("a certificate's key on P-384", .fidoU2FCertificateKey) {
            try $0.certify { $0.publicKey = Certificate.PublicKey(P384.Signing.PrivateKey().publicKey) }
        },
        u2f("a certificate's Ed25519 key", .fidoU2FCertificateKey) {
            try $0.certify { $0.publicKey = Certificate.PublicKey(Curve25519.Signing.PrivateKey().publicKey) }
        },
        u2f("a credential on P-384", .fidoU2FCredentialKey) {
            let key = try COSE.PrivateKey(algorithm: .es384, rawRepresentation: [UInt8](repeating: 9, count: 48))
            $0.authenticatorData.attestedCredentialData?.credentialPublicKey = key.publicKey.cbor
        },
        u2f("another P-256 credential", .attestationSignatureInvalid) {
            let key = try COSE.PrivateKey(algorithm: .es256, rawRepresentation: [UInt8](repeating: 9, count: 32))
            $0.authenticatorData.attestedCredentialData?.credentialPublicKey = key.publicKey.cbor
        },
        u2f("another certificate's key", .attestationSignatureInvalid) {
            try $0.certify { $0.publicKey = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey) }
        },
        RegistrationMutation(
            "fido-u2f: an algorithm", flaggedBy: [.attestationStatement: .attestationMemberUnknown], kinds: [.fidoU2F]
        ) { $0.editStatement = { $0["alg"] = -7 } },
        u2f("the AAGUID zero", nil) { $0.authenticatorData.attestedCredentialData?.aaguid = .zero },
        RegistrationMutation(
            "fido-u2f: another AAGUID", flaggedBy: [.attestationStatement: .fidoU2FModelNotZero], kinds: [.fidoU2F]
        ) {
            try $0.keepStatement()
            $0.authenticatorData.attestedCredentialData?.aaguid = try #require(
                AAGUID(bytes: [UInt8](repeating: 7, count: 16)))
        },
        u2f("another AAGUID, where the policy requires zero", .fidoU2FModelNotZero) {
            $0.expectation.attestation.rules = [.zeroAAGUIDOfU2F]
        },
        u2f("no x5c", .attestationStatementMalformed) { $0.editStatement = { $0["x5c"] = nil } },
        u2f("over authenticator data, as packed", .attestationSignatureInvalid) { sample in
            let signature = try sample.statementKey.sign(
                sample.authenticatorDataBytes + sha256(sample.clientDataJSON))
            sample.editSignature = { _ in signature }
        },
        u2f("over another credential ID", .attestationSignatureInvalid) {
            try $0.keepStatement()
            $0.authenticatorData.attestedCredentialData?.credentialID.append(1)
        },
        u2f("over other client data", .attestationSignatureInvalid) {
            try $0.keepStatement()
            $0.rawClientData = $0.clientData.encoded + [0x20]
        },
        // Its signature does not cover the counter and the flags.
        u2f("over another counter", nil) {
            try $0.keepStatement()
            $0.authenticatorData.signCount &+= 1
        },
    ]
}
