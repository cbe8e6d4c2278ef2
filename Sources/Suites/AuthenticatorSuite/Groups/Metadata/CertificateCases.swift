internal import CTAP
internal import Conformance
internal import Documents
internal import Foundation
internal import SwiftASN1
internal import X509

extension MetadataCases {
    private static let roots = "attestationRootCertificates"

    /// The kinds of attestation and their roots.
    @CaseTable static var certificates: [Case] {
        member("attestationTypes", "The types of attestation are registered.") { bench, value in
            _ = try names(value, of: ["basic_full", "basic_surrogate", "ecdaa", "attca", "anonca", "none"], bench)
        }
        member(
            "attestationTypes", part: "statement", "The type of a new credential's statement is stated.",
            needs: [.ctap2, .credentials], person: [.touch]
        ) { bench, value in
            let made = try await AttestationCases.register(bench)
            guard let type = type(of: made) else {
                throw CaseStop.notApplicable("the format \(made.format) has no registered type")
            }
            bench.expect(
                try texts(value, bench).contains(type), "\(type), as a statement of the format \(made.format) has",
                seen: words(value))
        }
        member(roots, "Each root certificate is X.509 in base64.") { bench, value in
            for text in try texts(value, bench) {
                bench.expect(certificate(text) != nil, "a certificate", seen: String(text.prefix(24)))
            }
        }
        member(
            roots, part: "chain", "The path of a new credential's statement ends at a root certificate.",
            needs: [.ctap2, .credentials], person: [.touch]
        ) { bench, value in
            let made = try await AttestationCases.register(bench)
            let path = made.chain.compactMap { try? Certificate(derEncoded: $0) }
            guard let last = path.last else { throw CaseStop.notApplicable("the statement has no certificate") }
            let trusted = try texts(value, bench).compactMap(certificate)
            bench.expect(
                trusted.contains { root in
                    path.contains(root) || root.publicKey.isValidSignature(last.signature, for: last)
                }, "a root that issued \(last.subject)", seen: "\(trusted.map(\.subject))")
        }
        member(roots, part: "needed", "An authenticator with certificates has a root.") { bench, value in
            let types = Set(bench.settings.metadata?["attestationTypes"]?.array?.compactMap(\.text) ?? [])
            guard !types.isDisjoint(with: ["basic_full", "attca", "anonca"]) else {
                throw CaseStop.notApplicable("its types of attestation have no certificates")
            }
            bench.expect(value.array?.isEmpty == false, "a root certificate", seen: "none")
        }
    }

    /// The registered type of a statement (FIDO Registry of Predefined Values 2.2 §3.6.3).
    private static func type(of made: AttestationCases.Registration) -> String? {
        switch made.format {
        case "none": "none"
        case "packed": made.chain.isEmpty ? "basic_surrogate" : "basic_full"
        case "fido-u2f", "android-key": "basic_full"
        case "tpm": "attca"
        case "apple": "anonca"
        default: nil
        }
    }

    private static func certificate(_ text: String) -> Certificate? {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters).flatMap { try? Certificate(derEncoded: Array($0)) }
    }
}
