public import ArgumentParser
import Attestation
import COSE
import Foundation
internal import MetadataService
package import RelyingParty
import SwiftASN1
package import WebAuthn

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

    @Option(
        help: ArgumentHelp(
            "Trust attestation of one model under this root, too: its AAGUID and a PEM file. Repeatable.",
            valueName: "aaguid=root"))
    var trustModel: [ModelRoot] = []

    @Option(
        help: ArgumentHelp(
            "Accept only this model, proven by a trusted certificate path. Repeatable.", valueName: "aaguid"))
    var acceptModel: [AAGUID] = []

    @Option(
        help: ArgumentHelp(
            "Accept only this attestation format, such as packed or none. Repeatable.", valueName: "format"))
    var acceptFormat: [AcceptedFormat] = []

    @Flag(help: "Refuse a credential without attestation.")
    var requireAttestation = false

    @Flag(help: "Refuse self attestation.")
    var refuseSelfAttestation = false

    mutating func validate() throws {
        try OptionRule.need(
            "--trust, --trust-model or --metadata: only a trusted path proves a model",
            !trust.isEmpty || !trustModel.isEmpty || metadata != nil, for: ["--accept-model": !acceptModel.isEmpty])
        try OptionRule.need(
            "--metadata-root, the certificate that it is signed under", !metadataRoot.isEmpty,
            for: ["--metadata": metadata != nil])
        try OptionRule.need(
            "--metadata", metadata != nil,
            for: [
                "--metadata-root": !metadataRoot.isEmpty, "--metadata-revocations": !metadataRevocations.isEmpty,
                "--metadata-after": metadataAfter != nil,
            ])
    }

    /// The options that were given, as the user writes them.
    var given: [String] {
        let options: [(String, Bool)] = [
            ("--trust", !trust.isEmpty), ("--attestation-rule", !attestationRule.isEmpty),
            ("--metadata", metadata != nil), ("--android-revocations", androidRevocations != nil),
            ("--trust-model", !trustModel.isEmpty), ("--accept-model", !acceptModel.isEmpty),
            ("--accept-format", !acceptFormat.isEmpty), ("--require-attestation", requireAttestation),
            ("--refuse-self-attestation", refuseSelfAttestation),
        ]
        return options.filter(\.1).map(\.0)
    }

    /// The policy; without trusted roots and metadata it does not assess certificate paths.
    ///
    /// - Parameter now: The time at which the signer of the metadata must be valid.
    func policy(now: Duration) async throws -> AttestationPolicy {
        var policy = AttestationPolicy.notAssessed
        if !trust.isEmpty || !trustModel.isEmpty {
            let roots = try trustModel.map { ($0.model, try Self.certificates($0.root)) }
            policy.trustAnchors = TrustAnchors(
                forAllModels: try trust.flatMap(Self.certificates), byModel: Dictionary(roots) { $0 + $1 })
        }
        policy.rules = Set(attestationRule)
        if !acceptModel.isEmpty { policy.acceptedModels = Set(acceptModel) }
        if !acceptFormat.isEmpty { policy.acceptedFormats = Set(acceptFormat.map(\.identifier)) }
        policy.acceptsNone = !requireAttestation
        policy.acceptsSelf = !refuseSelfAttestation
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
            let documents = try PEMText.documents(in: String(contentsOfFile: root, encoding: .utf8))
            guard !documents.isEmpty, documents.allSatisfy({ $0.discriminator == "CERTIFICATE" }) else {
                throw CommandError("\(root): the file has no certificates in PEM; give a PEM file", .badInput)
            }
            return documents.map(\.derBytes)
        } catch let error as CommandError {
            throw error
        } catch is CocoaError {
            throw CommandError("\(root): the file cannot be read", .badInput)
        } catch {
            throw CommandError("\(root): the file is not PEM: \(DERProblem.words(error)); give a PEM file", .badInput)
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

extension AAGUID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// A model and the root that it attests under.
struct ModelRoot: ExpressibleByArgument {
    let model: AAGUID
    let root: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let model = AAGUID(parts[0]) else { return nil }
        (self.model, root) = (model, parts[1])
    }
}

/// An attestation format that the relying party can verify.
struct AcceptedFormat: ExpressibleByArgument {
    let identifier: String

    init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        identifier = argument
    }

    static var allValueStrings: [String] { AttestationFormats.standard.identifiers }
}
