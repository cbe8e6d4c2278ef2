import Attestation
import AttestationSamples
import COSE
import Foundation
import TestSupport
import Testing
import WebAuthn

extension Interop {
    /// python-fido2's attestation verifiers and its reader of metadata.
    @Suite struct PythonAttestationTests {
        private let authority: AttestationAuthority

        init() throws {
            authority = try AttestationAuthority()
        }

        /// The valid statements that python-fido2 knows.
        private static let types: [AttestationKind: String] = [
            .none: "NONE", .packed: "SELF", .packedBasic: "BASIC", .fidoU2F: "BASIC", .tpm: "ATT_CA",
            .tpmRS1: "ATT_CA", .apple: "ANON_CA",
        ]

        /// python-fido2 leaves some checks out: dates, the rights of issuers, the country's code, the number of U2F's
        /// certificates, most of a TPM's certificate and version, and whose key Apple's certificate is for.
        private static func isUnnoticed(_ flaw: AttestationFlaw, _ kind: AttestationKind) -> Bool {
            switch flaw {
            case .expired, .notYetValid, .twoCertificates, .tpmNoName, .tpmManufacturer, .tpmVersion,
                .appleOtherKey, .unassignedCountry, .expiredIntermediate, .issuerNotAuthority, .issuerKeyUsage:
                true
            case .wrongModel, .criticalModel, .malformedModel: kind == .tpm || kind == .tpmRS1
            default: false
            }
        }

        @Test func everyValidStatementHasItsKind() async throws {
            let samples = try Self.types.keys.flatMap { kind in
                try COSE.Algorithm.supported.filter(kind.attests).map { algorithm in
                    (kind, algorithm, try AttestationSample(kind, algorithm: algorithm, authority: authority))
                }
            }
            let verdicts = try await AttestationScript.judge(samples.map(\.2), root: authority.rootCertificate)
            #expect(verdicts.count == samples.count)
            for ((kind, algorithm, _), verdict) in zip(samples, verdicts) {
                #expect(verdict == Self.types[kind], "\(kind) of \(algorithm)")
            }
        }

        @Test func everyFlawThatPythonChecksIsRefused() async throws {
            let samples = try AttestationFlaw.allCases.flatMap { flaw in
                try flaw.description.kinds.filter { Self.types[$0] != nil }.map { kind in
                    (flaw, kind, try AttestationSample(kind, flaw: flaw, authority: authority))
                }
            }
            let verdicts = try await AttestationScript.judge(samples.map(\.2), root: authority.rootCertificate)
            #expect(verdicts.count == samples.count)
            for ((flaw, kind, _), verdict) in zip(samples, verdicts) {
                if Self.isUnnoticed(flaw, kind) {
                    #expect(verdict == Self.types[kind], "\(flaw) of \(kind)")
                } else {
                    #expect(verdict.hasPrefix("refused"), "\(flaw) of \(kind): \(verdict)")
                }
            }
        }

        @Test func anotherRootIsNotTrusted() async throws {
            let samples = try [AttestationKind.packedBasic, .fidoU2F, .tpm, .apple].map {
                try AttestationSample($0, authority: authority)
            }
            let stranger = try AttestationAuthority(seed: Array("another".utf8))
            let verdicts = try await AttestationScript.judge(samples, root: stranger.rootCertificate)
            #expect(verdicts == Array(repeating: "refused: InvalidSignature", count: samples.count))
        }

        @Test func metadataNamesTheTrustedRoots() async throws {
            let stranger = try AttestationAuthority(seed: Array("another".utf8))
            let maker = try AttestationMaker(authority: authority, model: .zero, signing: .deterministic)
            let cases: [(AttestationKind, MetadataStatement.Subject)] = [
                (.packedBasic, .model(AttestationSample.model)), (.tpm, .model(AttestationSample.model)),
                (.apple, .model(AttestationSample.model)), (.fidoU2F, .certificates([maker.keyIdentifier])),
            ]
            let requested = try cases.map { kind, subject in
                let sample = try AttestationSample(kind, authority: authority)
                return AttestationScript.Requested.Metadata(
                    statement: try Self.statement(subject, kind, authority).json, object: sample.object.encoded.hex,
                    hash: sample.clientDataHash.hex,
                    stranger: try AttestationSample(kind, authority: stranger).object.encoded.hex)
            }
            #expect(
                try await AttestationScript.read(requested) == Array(repeating: "accepted", count: cases.count))
        }

        /// A statement that has every member.
        private static func statement(
            _ subject: MetadataStatement.Subject, _ kind: AttestationKind, _ authority: AttestationAuthority
        ) throws -> MetadataStatement {
            MetadataStatement(
                subject, description: "A key of \(kind.rawValue)", versions: [.init(major: 1, minor: 1)],
                algorithms: COSE.Algorithm.supported, attestation: [kind],
                userVerification: [
                    [
                        .init(
                            .externalPasscode,
                            code: .init(base: 64, minLength: 4, maxRetries: 8, blockSlowdown: 0))
                    ],
                    [
                        .init(.fingerprint, biometric: .init(maxTemplates: 5, maxRetries: 3, blockSlowdown: 0)),
                        .init(.presence),
                    ],
                    [.init(.none)],
                ],
                attachment: [.external, .wired], rootCertificates: [authority.rootCertificate],
                authenticatorGetInfo: .members([
                    "versions": .list([.text("FIDO_2_1")]), "aaguid": .text(AttestationSample.model.bytes.hex),
                    "options": .members(["rk": .bool(true)]), "maxMsgSize": .number(1200),
                ]))
        }
    }
}

/// `attestation.py`, whose input is too long for a command line.
private enum AttestationScript {
    struct Requested: Encodable {
        struct Statement: Encodable {
            let object: String
            let hash: String
            let root: String
        }

        struct Metadata: Encodable {
            let statement: String
            let object: String
            let hash: String
            let stranger: String
        }

        var statements: [Statement] = []
        var metadata: [Metadata] = []
    }

    struct Verdicts: Decodable {
        let statements: [String]
        let metadata: [String]
    }

    static func judge(_ samples: [AttestationSample], root: [UInt8]) async throws -> [String] {
        let statements = samples.map {
            Requested.Statement(object: $0.object.encoded.hex, hash: $0.clientDataHash.hex, root: root.hex)
        }
        return try await run(Requested(statements: statements)).statements
    }

    static func read(_ metadata: [Requested.Metadata]) async throws -> [String] {
        try await run(Requested(metadata: metadata)).metadata
    }

    private static func run(_ requested: Requested) async throws -> Verdicts {
        let script = try String(
            contentsOf: Script.directory.appending(path: "attestation.py"), encoding: .utf8)
        let output = try await Python.run(
            script: script, standardInput: String(decoding: try JSONEncoder().encode(requested), as: UTF8.self))
        return try JSONDecoder().decode(Verdicts.self, from: Data(output.standardOutput.utf8))
    }
}
