import COSE
import Crypto
import Foundation
import RelyingParty
import SwiftASN1
import WebAuthn
import X509

extension RegistrationMutation {
    private static func trusting(
        _ name: String, _ label: ReasonLabel?, kinds: Set<Kind> = attested,
        _ edit: @escaping @Sendable (inout RegistrationSample) throws -> Void
    ) -> RegistrationMutation {
        var caughtBy: [VerificationStep: ReasonLabel] = [:]
        if let label { caughtBy[.attestationTrust] = label }
        return RegistrationMutation("trust: \(name)", caughtBy: caughtBy, kinds: kinds, apply: edit)
    }

    /// The kinds whose signature covers the AAGUID.
    private static let proving = attested.subtracting([.fidoU2F])

    static let trust: [RegistrationMutation] = policies + paths

    private static let policies: [RegistrationMutation] = [
        trusting("no attestation, though required", .attestationNoneRefused, kinds: [.none]) {
            $0.expectation.attestation.acceptsNone = false
        },
        trusting("self attestation refused", .attestationSelfRefused, kinds: [.selfSigned]) {
            $0.expectation.attestation.acceptsSelf = false
        },
        trusting("format not accepted", .attestationFormatNotAccepted, kinds: Set(Kind.allCases)) {
            $0.expectation.attestation.acceptedFormats = ["android-safetynet"]
        },
        trusting("paths left unassessed", nil) {
            $0.expectation.attestation = .notAssessed
            try $0.certify { $0.issuerKey = Certificate.PrivateKey(P256.Signing.PrivateKey()) }
        },
        trusting("a listed model without proof", .attestationModelUnproven, kinds: [.none, .selfSigned]) {
            $0.expectation.attestation.acceptedModels = AAGUID(bytes: $0.model).map { [$0] }
        },
        trusting("a model not on the list", .attestationModelNotAccepted, kinds: proving) {
            $0.expectation.attestation.acceptedModels = [.zero]
        },
        trusting("a model on the list", nil, kinds: proving) {
            $0.expectation.attestation.acceptedModels = AAGUID(bytes: $0.model).map { [$0] }
        },
        trusting("a model on the list, claimed by a U2F key", .attestationModelUnproven, kinds: [.fidoU2F]) {
            $0.expectation.attestation.acceptedModels = AAGUID(bytes: $0.model).map { [$0] }
        },
        trusting("no anchor", .attestationNoTrustAnchor) { $0.expectation.attestation.trustAnchors = TrustAnchors() },
        trusting("an anchor for another model only", .attestationNoTrustAnchor) {
            $0.expectation.attestation.trustAnchors = TrustAnchors(byModel: [.zero: [try VectorFile.rootCertificate()]])
        },
        trusting("an anchor for this model", nil) {
            let model = AAGUID(bytes: $0.model) ?? .zero
            $0.expectation.attestation.trustAnchors = TrustAnchors(byModel: [model: [try VectorFile.rootCertificate()]])
        },
        trusting("an anchor that is not a certificate", .attestationTrustAnchorMalformed) {
            $0.expectation.attestation.trustAnchors = TrustAnchors(forAllModels: [[1, 2, 3]])
        },
        trusting("another root", .attestationUntrusted) {
            let root = try RegistrationSample.authority("Another root", P256.Signing.PrivateKey())
            $0.expectation.attestation.trustAnchors = TrustAnchors(forAllModels: [root])
        },
        trusting("before the certificates are valid", .attestationCertificateNotYetValid) {
            $0.expectation.now = .seconds(1_600_000_000)
        },
        trusting("at a time before the epoch", .attestationCertificateNotYetValid) {
            $0.expectation.now = .seconds(Int64.min)
        },
        trusting("at the end of time", .attestationCertificateExpired) {
            $0.expectation.now = .seconds(Int64.max)
        },
    ]

    private static let paths: [RegistrationMutation] = [
        trusting("expired leaf", .attestationCertificateExpired) {
            try $0.certify { $0.notAfter = Date(timeIntervalSince1970: 1_740_000_000) }
        },
        trusting("expired anchor", .attestationUntrusted) { sample in
            let key = P256.Signing.PrivateKey()
            var root = try CertificateForm(authority: "Old root", key: key)
            root.notAfter = Date(timeIntervalSince1970: 1_740_000_000)
            root.signItself(with: key)
            sample.expectation.attestation.trustAnchors = TrustAnchors(forAllModels: [try root.issue()])
            try sample.certify {
                $0.issuer = try root.subject()
                $0.issuerKey = Certificate.PrivateKey(key)
            }
        },
        trusting("the root's name, another key", .attestationUntrusted) {
            try $0.certify { $0.issuerKey = Certificate.PrivateKey(P256.Signing.PrivateKey()) }
        },
        trusting("a self-signed root of its own", .attestationSelfSignedRoot, kinds: chained) { sample in
            let key = P256.Signing.PrivateKey()
            var root = try CertificateForm(authority: "Own root", key: key)
            root.signItself(with: key)
            try sample.certify {
                $0.issuer = try root.subject()
                $0.issuerKey = Certificate.PrivateKey(key)
            }
            sample.certificates.append(try root.issue())
        },
        trusting("a self-signed leaf", .attestationSelfSignedRoot) { sample in
            let key = try P256.Signing.PrivateKey(rawRepresentation: sample.statementKey.rawRepresentation)
            try sample.certify { $0.signItself(with: key) }
        },
        RegistrationMutation(
            "trust: the anchor itself at the end of the path",
            flaggedBy: [.attestationTrust: .attestationAnchorInPath], kinds: chained.subtracting([.androidKey])
        ) { $0.certificates.append(try VectorFile.rootCertificate()) },
        trusting("the anchor itself at the end of Android's path", nil, kinds: [.androidKey]) {
            $0.certificates.append(try VectorFile.rootCertificate())
        },
        RegistrationMutation(
            "trust: another certificate of the anchor's name and key",
            flaggedBy: [.attestationTrust: .attestationAnchorInPath], kinds: chained.subtracting([.androidKey])
        ) { $0.certificates.append(try $0.reissuedRoot()) },
        trusting("another certificate of the anchor's name and key in Android's path", nil, kinds: [.androidKey]) {
            $0.certificates.append(try $0.reissuedRoot())
        },
        trusting("the anchor's name and another key in the path", .attestationSelfSignedRoot, kinds: chained) {
            let key = P256.Signing.PrivateKey()
            var root = try CertificateForm(authority: "", key: key)
            root.replacedSubject = root.issuer
            root.signItself(with: key)
            $0.certificates.append(try root.issue())
        },
        trusting("the leaf itself as anchor", nil, kinds: [.certified, .tpm, .fidoU2F]) {
            $0.expectation.attestation.trustAnchors = TrustAnchors(forAllModels: $0.certificates)
        },
        trusting("an intermediate CA", nil, kinds: chained) { try $0.certifyThroughIntermediate { _ in } },
        trusting("an intermediate left out", .attestationUntrusted) {
            try $0.certifyThroughIntermediate { _ in }
            $0.certificates.removeLast()
        },
        trusting("an intermediate that is not a CA", .attestationUntrusted, kinds: chained) {
            try $0.certifyThroughIntermediate { $0.basicConstraints = .notCertificateAuthority }
        },
        trusting("an expired intermediate", .attestationCertificateExpired, kinds: chained) {
            try $0.certifyThroughIntermediate { $0.notAfter = Date(timeIntervalSince1970: 1_740_000_000) }
        },
        trusting("an intermediate that is not a certificate", .attestationCertificateMalformed, kinds: chained) {
            $0.certificates.append([0x30, 0x00])
        },
        trusting("an intermediate with an unknown critical extension", .attestationUntrusted, kinds: chained) {
            try $0.certifyThroughIntermediate {
                $0.extensions.append(
                    Certificate.Extension(oid: [1, 3, 6, 1, 4, 1, 99999, 1], critical: true, value: [0x05, 0x00]))
            }
        },
    ]
}

extension RegistrationSample {
    /// A self-signed CA certificate.
    static func authority(_ name: String, _ key: P256.Signing.PrivateKey) throws -> [UInt8] {
        var form = try CertificateForm(authority: name, key: key)
        form.signItself(with: key)
        return try form.issue()
    }

    /// Another certificate of the vectors' root: its name and key, another validity.
    func reissuedRoot() throws -> [UInt8] {
        let key = try P256.Signing.PrivateKey(rawRepresentation: VectorFile.rootKey())
        var root = try CertificateForm(authority: "", key: key)
        root.replacedSubject = root.issuer
        root.notAfter = Date(timeIntervalSince1970: 1_740_000_000)
        root.signItself(with: key)
        return try root.issue()
    }

    /// Puts a CA between the vectors' root and the leaf.
    mutating func certifyThroughIntermediate(_ edit: (inout CertificateForm) throws -> Void) throws {
        let key = P256.Signing.PrivateKey()
        var intermediate = try CertificateForm(authority: "Intermediate CA", key: key)
        try edit(&intermediate)
        try certify {
            $0.issuer = try intermediate.subject()
            $0.issuerKey = Certificate.PrivateKey(key)
        }
        certificates.append(try intermediate.issue())
    }
}
