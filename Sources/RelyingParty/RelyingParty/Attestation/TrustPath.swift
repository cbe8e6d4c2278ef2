internal import Foundation
internal import SwiftASN1
@_spi(FixedExpiryValidationTime) internal import X509

/// A certificate path, to be validated up to an anchor (WebAuthn L3 §7.1 step 24; RFC 5280 §6).
struct TrustPath {
    private let leaf: Certificate
    /// The certificates after the leaf, without those that are anchors.
    private let intermediates: [Certificate]
    private let anchors: [Certificate]
    private let isLeafAnchor: Bool
    /// Whether an anchor is among the certificates after the leaf.
    let carriesAnchor: Bool

    /// Reads a path, leaf first, and its anchors.
    ///
    /// An anchor is a name and a key, whichever certificate states them, and does not belong to the path (RFC 5280 §6.1).
    init(_ path: [[UInt8]], anchors: [[UInt8]]) throws(AttestationRefusal) {
        leaf = try AttestationCertificate(leafOf: path).certificate
        var others: [Certificate] = []
        for der in path.dropFirst() { others.append(try AttestationCertificate(der: der).certificate) }
        do {
            self.anchors = try anchors.map { try Certificate(derEncoded: $0) }
        } catch {
            throw .failed([Reason(.attestationTrustAnchorMalformed, "a configured trust anchor is not a certificate")])
        }
        intermediates = others.filter { [anchors = self.anchors] in !Self.isAnchor($0, anchors) }
        carriesAnchor = intermediates.count < others.count
        isLeafAnchor = Self.isAnchor(leaf, self.anchors)
    }

    private static func isAnchor(_ certificate: Certificate, _ anchors: [Certificate]) -> Bool {
        anchors.contains { $0.subject == certificate.subject && $0.publicKey == certificate.publicKey }
    }

    func judge(now: Duration) async -> [Reason] {
        guard !anchors.isEmpty else {
            return [Reason(.attestationNoTrustAnchor, "no trust anchor is configured for this model")]
        }
        let time = Self.date(now)
        let reasons = ([leaf] + intermediates).flatMap { Self.judgeValidity($0, at: time) } + judgeOwnRoots()
        guard reasons.isEmpty, !isLeafAnchor else { return reasons }
        let problems =
            ([leaf] + intermediates).lazy.compactMap(Self.unreadableExtension)
            + issuers.lazy.compactMap(Self.otherUse)
        if let problem = problems.first { return [Reason(.attestationUntrusted, problem)] }
        var verifier = Verifier(rootCertificates: CertificateStore(anchors)) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            KnownExtensions()
        }
        switch await verifier.validate(leaf: leaf, intermediates: CertificateStore(intermediates)) {
        case .validCertificate: return []
        case .couldNotValidate(let failures):
            let detail = failures.map { "\($0.policyFailureReason)" }.joined(separator: "; ")
            let sentence = detail.isEmpty ? "the path leads to no trust anchor" : detail
            return [Reason(.attestationUntrusted, sentence)]
        }
    }

    /// An extension that decides about the path and has no valid form.
    private static func unreadableExtension(_ certificate: Certificate) -> String? {
        let readers: [(name: String, read: (Certificate.Extensions) throws -> Void)] = [
            ("basic constraints", { _ = try $0.basicConstraints }),
            ("key usage", { _ = try $0.keyUsage }),
            ("name constraints", { _ = try $0.nameConstraints }),
            ("alternative names", { _ = try $0.subjectAlternativeNames }),
        ]
        for (name, read) in readers {
            do {
                try read(certificate.extensions)
            } catch {
                return "the \(name) of the certificate of \(certificate.subject) cannot be read: "
                    + CertificateProblem.words(error)
            }
        }
        return nil
    }

    /// The intermediate certificates that issued another one of the path.
    private var issuers: [Certificate] {
        intermediates.filter { issuer in
            ([leaf] + intermediates).contains { $0 != issuer && $0.issuer == issuer.subject }
        }
    }

    /// A key usage that forbids an issuer to sign certificates (RFC 5280 §6.1.4 (n)); swift-certificates does not check it.
    private static func otherUse(_ issuer: Certificate) -> String? {
        guard let usage = try? issuer.extensions.keyUsage, !usage.keyCertSign else { return nil }
        return "the key of \(issuer.subject), which issued a certificate of the path, may not sign certificates"
    }

    func judgeRevocation(_ list: AndroidRevocationList) -> [Reason] {
        ([leaf] + intermediates).compactMap { certificate in
            list.status(ofSerialNumber: certificate.serialNumber.bytes).map {
                Reason(
                    .attestationCertificateRevoked, "Google lists the certificate of \(certificate.subject) as \($0)")
            }
        }
    }

    /// A root inside the path is trusted only if it is an anchor.
    private func judgeOwnRoots() -> [Reason] {
        let own = ((isLeafAnchor ? [] : [leaf]) + intermediates).contains {
            $0.issuer == $0.subject && $0.publicKey.isValidSignature($0.signature, for: $0)
        }
        let sentence = "the path contains a self-signed certificate that is not an anchor"
        return own ? [Reason(.attestationSelfSignedRoot, sentence)] : []
    }

    private static func judgeValidity(_ certificate: Certificate, at time: Date) -> [Reason] {
        guard let problem = certificate.problem(at: time) else { return [] }
        let label: ReasonLabel =
            time > certificate.notValidAfter ? .attestationCertificateExpired : .attestationCertificateNotYetValid
        return [Reason(label, problem)]
    }

    /// The time, limited to the years 1970 to 9999, which certificates can express.
    private static func date(_ now: Duration) -> Date {
        Date(timeIntervalSince1970: Double(min(max(now.components.seconds, 0), 253_402_300_799)))
    }
}

/// Marks extensions as understood that may be critical in attestation certificates.
private struct KnownExtensions: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        // Critical in TPM certificates, because their subject is empty (RFC 5280 §4.2.1.6); the `tpm` format checks it.
        .X509ExtensionID.subjectAlternativeName,
        // Critical in Windows' TPM certificates. Any policy is acceptable here, so it restricts nothing (RFC 5280 §6.1.1).
        [2, 5, 29, 32],
    ]

    mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        .meetsPolicy
    }
}
