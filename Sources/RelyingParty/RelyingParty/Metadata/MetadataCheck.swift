internal import COSE
internal import Crypto
internal import Foundation
internal import WebAuthn
internal import X509

/// Compares an attestation with the metadata of its model (FIDO Metadata Service 3.1 §3.2, Metadata Statement 3.1).
struct MetadataCheck {
    private let entry: MetadataEntry
    private let policy: MetadataPolicy

    /// Nil without an entry; U2F keys are found by their certificate's key, because no signature covers their AAGUID.
    init?(_ attestation: AttestationResult, model: AAGUID, format: String, policy: MetadataPolicy) {
        self.policy = policy
        let entry: MetadataEntry? =
            if isSameText(format, FIDOU2FAttestation.identifier) {
                Self.keyIdentifier(attestation).flatMap { identifier in
                    policy.blob.entries.first { $0.describes(keyIdentifier: identifier) }
                }
            } else {
                policy.blob.entry(for: model)
            }
        guard let entry else { return nil }
        self.entry = entry
    }

    /// SHA-1 of the leaf's public key, the content of its bit string.
    private static func keyIdentifier(_ attestation: AttestationResult) -> [UInt8]? {
        guard let leaf = try? AttestationCertificate(leafOf: attestation.trustPath) else { return nil }
        return Array(Insecure.SHA1.hash(data: leaf.certificate.publicKey.subjectPublicKeyInfoBytes))
    }

    var anchors: [[UInt8]] { (entry.metadataStatement?.attestationRootCertificates ?? []).compactMap(Self.bytes) }

    private static func bytes(_ base64: String) -> [UInt8]? {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters).map { Array($0) }
    }

    func reasons(_ attestation: AttestationResult, _ algorithm: COSE.Algorithm?, now: Duration) -> [Reason] {
        judgeStatement(attestation, algorithm)
            + reports(until: now).filter { concerns(attestation, $0) }.map {
                let since = $0.effectiveDate.map { " since \($0)" } ?? ""
                return Reason(.metadataStatusRefused, "the metadata reports \($0.status.rawValue) for \(name)\(since)")
            }
    }

    func flags(now: Duration) -> [Reason] {
        var flags: [Reason] = []
        if let current = reports(until: now).last?.status, [.updateAvailable, .notCertified].contains(current) {
            flags.append(Reason(.metadataStatusFlagged, "the metadata reports \(current.rawValue) for \(name)"))
        }
        return flags
    }

    private var name: String { entry.name.map { "“\($0)”" } ?? "the model" }

    /// The reports that count at this time; one without a readable date always counts.
    private func reports(until now: Duration) -> [MetadataEntry.StatusReport] {
        entry.statusReports.filter { report in
            report.effectiveDate.flatMap(MetadataBLOB.day).map { $0 <= now } ?? true
        }
    }

    private func concerns(_ attestation: AttestationResult, _ report: MetadataEntry.StatusReport) -> Bool {
        guard policy.refusedStatuses.contains(report.status) else { return false }
        guard report.status == .attestationKeyCompromise, let certificate = report.certificate.flatMap(Self.bytes)
        else { return true }
        return attestation.trustPath.contains { Self.hasSameKey($0, certificate) }
            || attestation.trustPath.contains { Self.isIssued($0, by: certificate) }
    }

    private static func hasSameKey(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard let one = try? AttestationCertificate(der: one).certificate,
            let other = try? AttestationCertificate(der: other).certificate
        else { return false }
        return one.subject == other.subject && one.publicKey == other.publicKey
    }

    private static func isIssued(_ subject: [UInt8], by issuer: [UInt8]) -> Bool {
        guard let subject = try? AttestationCertificate(der: subject).certificate,
            let issuer = try? AttestationCertificate(der: issuer).certificate
        else { return false }
        return subject.issuer == issuer.subject && issuer.publicKey.isValidSignature(subject.signature, for: subject)
    }

    private func judgeStatement(_ attestation: AttestationResult, _ algorithm: COSE.Algorithm?) -> [Reason] {
        guard let statement = entry.metadataStatement else { return [] }
        var reasons: [Reason] = []
        // FIDO Registry of Predefined Values 2.2 §3.6.3.
        let types: Set<String> = attestation.kind == .`self` ? ["basic_surrogate"] : ["basic_full", "attca", "anonca"]
        if types.isDisjoint(with: statement.attestationTypes) {
            let listed = statement.attestationTypes.joined(separator: ", ")
            reasons.append(Reason(.metadataAttestationType, "\(name) attests with \(listed) only"))
        }
        // The registry has names for two encodings of a signature, and vendors use either.
        if let registered = algorithm?.registeredName,
            !statement.authenticationAlgorithms.contains(where: { $0.dropLast(4) == registered.dropLast(4) })
        {
            reasons.append(Reason(.metadataAlgorithm, "\(name) has no credentials for \(registered)"))
        }
        return reasons
    }
}

extension ReasonLabel {
    package static let metadataAttestationType: ReasonLabel = "metadata.attestationType"
    package static let metadataAlgorithm: ReasonLabel = "metadata.algorithm"
    package static let metadataStatusRefused: ReasonLabel = "metadata.statusRefused"
    package static let metadataStatusFlagged: ReasonLabel = "metadata.statusFlagged"
    /// The next metadata should have been published.
    package static let metadataOutdated: ReasonLabel = "metadata.outdated"
}
