public import ArgumentParser
import Attestation
import COSE
import Foundation
package import RelyingParty
import SwiftASN1

/// The relying party's policy for attestation.
struct AttestationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Trust attestation under this root certificate only: a PEM file, or 'touchstone' for the simulated \
            devices' root. Repeatable.
            """, valueName: "root"))
    var trust: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A rule for attestation statements beyond those of their formats; see docs/attestation.md. Repeatable.
            """, valueName: "rule"))
    var attestationRule: [AttestationRule] = []

    @Option(
        help: ArgumentHelp(
            "The FIDO Metadata Service's BLOB: trust anchors and statuses of models. Needs --metadata-root.",
            valueName: "file"))
    var metadata: String?

    @Option(help: ArgumentHelp("A PEM file with the root certificate of --metadata. Repeatable.", valueName: "file"))
    var metadataRoot: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A revocation list in DER, for the certificates of --metadata; every issuer then needs a current one. \
            Repeatable.
            """, valueName: "file"))
    var metadataRevocations: [String] = []

    @Option(
        help: ArgumentHelp(
            "The number of the last metadata used; that of --metadata must exceed it.", valueName: "number"))
    var metadataAfter: Int?

    @Option(
        help: ArgumentHelp(
            "Google's list of revoked attestation keys, in JSON; an android-key path with one is refused.",
            valueName: "file"))
    var androidRevocations: String?

    mutating func validate() throws {
        guard metadata == nil || !metadataRoot.isEmpty else {
            throw ValidationError("--metadata needs --metadata-root, the certificate that it is signed under.")
        }
        guard metadata != nil || (metadataRoot.isEmpty && metadataRevocations.isEmpty && metadataAfter == nil) else {
            throw ValidationError("--metadata-root, --metadata-revocations and --metadata-after need --metadata.")
        }
    }

    /// The policy; without trusted roots and metadata it does not assess certificate paths.
    func policy(now: Duration) async throws -> AttestationPolicy {
        var policy = AttestationPolicy.notAssessed
        if !trust.isEmpty {
            policy.trustAnchors = TrustAnchors(forAllModels: try trust.flatMap(Self.certificates))
        }
        policy.rules = Set(attestationRule)
        if let metadata {
            let (roots, lists) = (try metadataRoot.flatMap(Self.certificates), try await revocationLists())
            policy.metadata = try await Self.read(metadata) { bytes in
                MetadataPolicy(
                    blob: try await MetadataBLOB(
                        jws: bytes, roots: roots, revocationLists: lists, after: metadataAfter, now: now))
            }
        }
        if let androidRevocations {
            policy.androidRevocations = try await Self.read(androidRevocations) { try AndroidRevocationList(json: $0) }
        }
        return policy
    }

    private func revocationLists() async throws -> [CertificateRevocationList]? {
        guard !metadataRevocations.isEmpty else { return nil }
        var lists: [CertificateRevocationList] = []
        for path in metadataRevocations {
            lists.append(try await Self.read(path) { try CertificateRevocationList(der: $0) })
        }
        return lists
    }

    /// The certificates of a PEM file, in DER.
    private static func certificates(_ root: String) throws -> [[UInt8]] {
        guard root != "touchstone" else { return [try AttestationAuthority().rootCertificate] }
        do {
            let documents = try PEMDocument.parseMultiple(pemString: String(contentsOfFile: root, encoding: .utf8))
            guard !documents.isEmpty, documents.allSatisfy({ $0.discriminator == "CERTIFICATE" }) else {
                throw CommandError("\(root): expected certificates in PEM", .badInput)
            }
            return documents.map(\.derBytes)
        } catch let error as CommandError {
            throw error
        } catch is CocoaError {
            throw CommandError("\(root): the file cannot be read", .badInput)
        } catch {
            throw CommandError("\(root): expected certificates in PEM: \(DERProblem.words(error))", .badInput)
        }
    }

    /// Reads a file's contents; an error names the file.
    private static func read<Content>(
        _ path: String, _ content: ([UInt8]) async throws -> Content
    ) async throws -> Content {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandError("\(path): the file cannot be read", .badInput)
        }
        do {
            return try await content(Array(data))
        } catch let error as MetadataError {
            throw CommandError("\(path): \(error)", .badInput)
        }
    }
}

extension AttestationRule: ExpressibleByArgument {}
