import COSE
import Crypto
import Foundation
import RelyingParty
import SwiftASN1
import WebAuthn
import X509

extension RegistrationMutation {
    private static func leaf(
        _ name: String, _ label: ReasonLabel?, _ edit: @escaping @Sendable (inout CertificateForm) throws -> Void
    ) -> RegistrationMutation {
        var caughtBy: [LedgerStep: ReasonLabel] = [:]
        if let label { caughtBy[.r16] = label }
        return RegistrationMutation("leaf: \(name)", caughtBy: caughtBy, kinds: [.certified]) {
            try $0.certify(edit)
        }
    }

    static let certificate: [RegistrationMutation] = [
        leaf("as it should be", nil) { _ in },
        leaf("version 1", .certificateVersion) {
            $0.version = .v1
            $0.basicConstraints = nil
        },
        leaf("no country", .certificateSubject) { $0.country = nil },
        leaf("country in small letters", .certificateSubject) { $0.country = "no" },
        leaf("country spelled out", .certificateSubject) { $0.country = "Norway" },
        leaf("no organization", .certificateSubject) { $0.organization = nil },
        leaf("empty organization", .certificateSubject) { $0.organization = "" },
        leaf("no unit", .certificateSubject) { $0.unit = nil },
        leaf("another unit", .certificateSubject) { $0.unit = "authenticator attestation" },
        leaf("no common name", .certificateSubject) { $0.commonName = nil },
        leaf("a CA", .certificateIsCA) { $0.basicConstraints = .isCertificateAuthority(maxPathLength: nil) },
        leaf("no basic constraints", .certificateBasicConstraints) { $0.basicConstraints = nil },
        leaf("another model", .certificateAAGUIDMismatch) { $0.addModel([UInt8](repeating: 1, count: 16)) },
        leaf("model of fifteen bytes", .certificateAAGUIDMalformed) { $0.addModel([UInt8](repeating: 1, count: 15)) },
        leaf("model wrapped once", .certificateAAGUIDMalformed) {
            $0.extensions.append(
                Certificate.Extension(
                    oid: CertificateForm.aaguidExtension, critical: false, value: [UInt8](repeating: 1, count: 16)[...])
            )
        },
        leaf("a key of another algorithm", .attestationAlgorithmMismatch) {
            $0.publicKey = Certificate.PublicKey(P384.Signing.PrivateKey().publicKey)
        },
        leaf("another key", .attestationSignatureInvalid) {
            $0.publicKey = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey)
        },
        RegistrationMutation("leaf: its own model", caughtBy: [:], kinds: [.certified]) { sample in
            let model = sample.model
            try sample.certify { $0.addModel(model) }
        },
        RegistrationMutation(
            "leaf: its own model, critical", caughtBy: [.r16: .certificateAAGUIDCritical], kinds: [.certified]
        ) { sample in
            let model = sample.model
            try sample.certify { $0.addModel(model, critical: true) }
        },
        RegistrationMutation(
            "leaf: not a certificate", caughtBy: [.r16: .attestationCertificateMalformed], kinds: [.certified]
        ) { $0.certificates = [[0x30, 0x00]] },
        RegistrationMutation(
            "leaf: a byte after it", caughtBy: [.r16: .attestationCertificateMalformed], kinds: [.certified]
        ) { $0.certificates[0].append(0) },
    ]
}

extension RegistrationSample {
    /// The AAGUID the authenticator data states.
    var model: [UInt8] { authenticatorData.attestedCredentialData?.aaguid.bytes ?? [] }
}
