import COSE
import Crypto
import Foundation
import RelyingParty
import SwiftASN1
import WebAuthn
import X509

extension RegistrationMutation {
    /// A change to the leaf certificate, and the label of its failure, if any.
    static func leaf(
        _ name: String, _ label: ReasonLabel?, kinds: Set<Kind> = [.certified],
        _ edit: @escaping @Sendable (inout CertificateForm) throws -> Void
    ) -> RegistrationMutation {
        var caughtBy: [VerificationStep: ReasonLabel] = [:]
        if let label { caughtBy[.attestationStatement] = label }
        return RegistrationMutation("leaf: \(name)", caughtBy: caughtBy, kinds: kinds) {
            try $0.certify(edit)
        }
    }

    /// The kinds whose certificate may name the model and follows the same other rules.
    private static let modelled: Set<Kind> = [.certified, .tpm]

    /// An attestation key of another algorithm, which is also valid.
    private static func certified(
        _ name: String, _ algorithm: COSE.Algorithm, kinds: Set<Kind> = modelled,
        _ key: @escaping @Sendable () throws -> COSE.PrivateKey
    ) -> RegistrationMutation {
        RegistrationMutation("leaf: \(name)", caughtBy: [:], kinds: kinds) {
            let key = try key()
            try $0.certify {
                $0.publicKey = try Certificate.PublicKey(derEncoded: key.publicKey.subjectPublicKeyInfo)
            }
            $0.statementKey = key
            $0.statementAlgorithm = algorithm
        }
    }

    static let certificate: [RegistrationMutation] = [
        leaf("valid", nil, kinds: attested) { _ in },
        leaf("version 1", .certificateVersion, kinds: modelled) {
            $0.version = .v1
            $0.basicConstraints = nil
            $0.tpmName = nil
            $0.usages = nil
        },
        leaf("no country", .certificateSubject) { $0.country = nil },
        leaf("country in small letters", .certificateSubject) { $0.country = "no" },
        leaf("country spelled out", .certificateSubject) { $0.country = "Norway" },
        leaf("a country of ISO 3166", nil) { $0.country = "NO" },
        leaf("the country of WebAuthn's vectors", nil) { $0.country = "AA" },
        leaf("a code for users of ISO 3166", .certificateSubject) { $0.country = "ZZ" },
        leaf("a code of no country", .certificateSubject) { $0.country = "UK" },
        leaf("an empty country", .certificateSubject) { $0.country = "" },
        leaf("no organization", .certificateSubject) { $0.organization = nil },
        leaf("empty organization", .certificateSubject) { $0.organization = "" },
        leaf("no unit", .certificateSubject) { $0.unit = nil },
        leaf("another unit", .certificateSubject) { $0.unit = "authenticator attestation" },
        leaf("no common name", .certificateSubject) { $0.commonName = nil },
        leaf("a CA", .certificateIsCA, kinds: modelled) {
            $0.basicConstraints = .isCertificateAuthority(maxPathLength: nil)
        },
        leaf("no basic constraints", .certificateBasicConstraints, kinds: modelled) { $0.basicConstraints = nil },
        leaf("another model", .certificateAAGUIDMismatch, kinds: modelled) {
            $0.addModel([UInt8](repeating: 1, count: 16))
        },
        leaf("model of fifteen bytes", .certificateAAGUIDMalformed, kinds: modelled) {
            $0.addModel([UInt8](repeating: 1, count: 15))
        },
        leaf("model wrapped once", .certificateAAGUIDMalformed, kinds: modelled) {
            $0.extensions.append(
                Certificate.Extension(
                    oid: CertificateForm.aaguidExtension, critical: false, value: [UInt8](repeating: 1, count: 16)[...])
            )
        },
        leaf("a key of another algorithm", .attestationAlgorithmMismatch, kinds: modelled) {
            $0.publicKey = Certificate.PublicKey(P384.Signing.PrivateKey().publicKey)
        },
        leaf("another key", .attestationSignatureInvalid, kinds: modelled) {
            $0.publicKey = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey)
        },
        certified("an RSA key", .rs256) { try Vector.rsaKey() },
        certified("a P-384 key", .es384) {
            try COSE.PrivateKey(algorithm: .es384, rawRepresentation: [UInt8](repeating: 9, count: 48))
        },
        certified("a P-521 key", .es512) {
            try COSE.PrivateKey(algorithm: .es512, rawRepresentation: [0, 0] + [UInt8](repeating: 9, count: 64))
        },
        certified("an Ed25519 key", .edDSA, kinds: [.certified]) {
            try COSE.PrivateKey(algorithm: .edDSA, rawRepresentation: [UInt8](repeating: 9, count: 32))
        },
        RegistrationMutation("leaf: its own model", caughtBy: [:], kinds: modelled) { sample in
            let model = sample.model
            try sample.certify { $0.addModel(model) }
        },
        RegistrationMutation(
            "leaf: its own model, critical", caughtBy: [.attestationStatement: .certificateAAGUIDCritical],
            kinds: modelled
        ) { sample in
            let model = sample.model
            try sample.certify { $0.addModel(model, critical: true) }
        },
        RegistrationMutation(
            "leaf: not a certificate", caughtBy: [.attestationStatement: .attestationCertificateMalformed],
            kinds: attested
        ) { $0.present([[0x30, 0x00]]) },
        RegistrationMutation(
            "leaf: an ML-DSA key", caughtBy: [.attestationStatement: .attestationAlgorithmUnsupported], kinds: modelled
        ) { sample in
            let key = try COSE.PrivateKey(algorithm: .mlDSA65, rawRepresentation: [UInt8](repeating: 9, count: 32))
            let leaf = try CertificateForm.replacingKey(of: sample.certificates[0], with: key.publicKey)
            sample.present([leaf] + sample.certificates.dropFirst())
        },
        RegistrationMutation(
            "leaf: a byte after it", caughtBy: [.attestationStatement: .attestationCertificateMalformed],
            kinds: [.certified, .tpm, .fidoU2F]
        ) { $0.certificates[0].append(0) },
    ]
}

extension CertificateForm {
    /// The certificate with another `subjectPublicKeyInfo`, the seventh field of its content (RFC 5280 §4.1), which the
    /// library may not be able to write.
    static func replacingKey(of der: [UInt8], with key: COSE.PublicKey) throws -> [UInt8] {
        let parts = try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
            var parts: [ASN1Node] = []
            while let node = nodes.next() { parts.append(node) }
            return parts
        }
        let fields = try DER.sequence(parts[0], identifier: .sequence) { nodes in
            var fields: [ASN1Node] = []
            while let node = nodes.next() { fields.append(node) }
            return fields
        }
        var serializer = DER.Serializer()
        serializer.appendConstructedNode(identifier: .sequence) { serializer in
            serializer.appendConstructedNode(identifier: .sequence) { serializer in
                for (place, field) in fields.enumerated() {
                    if place == 6 {
                        serializer.serializeRawBytes(key.subjectPublicKeyInfo)
                    } else {
                        serializer.serialize(field)
                    }
                }
            }
            for part in parts.dropFirst() { serializer.serialize(part) }
        }
        return serializer.serializedBytes
    }
}

extension RegistrationSample {
    /// The AAGUID the authenticator data states.
    var model: [UInt8] { authenticatorData.attestedCredentialData?.aaguid.bytes ?? [] }
}
