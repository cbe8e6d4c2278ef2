internal import Foundation
internal import SwiftASN1
@_spi(FixedExpiryValidationTime) internal import X509

/// A certificate path, to be validated up to an anchor (WebAuthn L3 §7.1 step 24; RFC 5280 §6).
struct TrustPath {
    private let certificates: [Certificate]

    /// Reads a path, leaf first.
    init(_ path: [[UInt8]]) throws(AttestationRefusal) {
        var certificates: [Certificate] = []
        for der in path { certificates.append(try AttestationCertificate(der: der).certificate) }
        self.certificates = certificates
    }

    /// The reasons against trusting the path; empty for a trusted path.
    func judge(anchors: [[UInt8]], now: Duration) async -> [Reason] {
        guard let leaf = certificates.first else {
            return [Reason(.attestationUntrusted, "the path has no certificate")]
        }
        guard !anchors.isEmpty else {
            return [Reason(.attestationNoTrustAnchor, "no trust anchor is configured for this model")]
        }
        var roots: [Certificate] = []
        for der in anchors {
            guard let root = try? Certificate(derEncoded: der) else {
                return [Reason(.attestationTrustAnchorMalformed, "a configured trust anchor is not a certificate")]
            }
            roots.append(root)
        }
        let time = Self.date(now)
        // A root inside the path is trusted only if it is an anchor.
        let reasons = certificates.flatMap { Self.judgeValidity($0, at: time) } + judgeOwnRoots(roots)
        guard reasons.isEmpty, !roots.contains(leaf) else { return reasons }
        var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            KnownNames()
        }
        switch await verifier.validate(leaf: leaf, intermediates: CertificateStore(certificates.dropFirst())) {
        case .validCertificate: return []
        case .couldNotValidate(let failures):
            let detail = failures.map { "\($0.policyFailureReason)" }.joined(separator: "; ")
            let sentence = detail.isEmpty ? "the path leads to no trust anchor" : detail
            return [Reason(.attestationUntrusted, sentence)]
        }
    }

    private func judgeOwnRoots(_ roots: [Certificate]) -> [Reason] {
        let own = certificates.contains {
            $0.issuer == $0.subject && !roots.contains($0) && $0.publicKey.isValidSignature($0.signature, for: $0)
        }
        let sentence = "the path contains a self-signed certificate that is not an anchor"
        return own ? [Reason(.attestationSelfSignedRoot, sentence)] : []
    }

    private static func judgeValidity(_ certificate: Certificate, at time: Date) -> [Reason] {
        let name = certificate.subject.description
        if time < certificate.notValidBefore {
            return [Reason(.attestationCertificateNotYetValid, "the certificate of \(name) is not valid yet")]
        }
        if time > certificate.notValidAfter {
            return [Reason(.attestationCertificateExpired, "the certificate of \(name) has expired")]
        }
        return []
    }

    /// The time, limited to the years 1970 to 9999, which certificates can express.
    private static func date(_ now: Duration) -> Date {
        Date(timeIntervalSince1970: Double(min(max(now.components.seconds, 0), 253_402_300_799)))
    }
}

/// Marks the subject alternative name as understood.
///
/// It is critical in TPM certificates, because their subject is empty (RFC 5280 §4.2.1.6). The `tpm` format checks it;
/// path validation does not depend on it.
private struct KnownNames: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [.X509ExtensionID.subjectAlternativeName]

    mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        .meetsPolicy
    }
}
